import { Card } from './card';

const PLANS = [
  { price: '$5', name: 'Solo', seats: 1 },
  { price: '$40', name: 'Crew', seats: 8 },
];

export default function Plans() {
  return (
    <section>
      <h1>Plans</h1>
      <p>From $5{' '}<b>per month</b>.</p>
    </section>
  );
}
