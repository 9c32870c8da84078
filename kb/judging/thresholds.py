"""Every number that judging rests on, each with what it was measured by (`bench/accuracy.py`)."""

# What a word of the claim counts, by the part of the claim it stands in.
SUBJECT = 1.0
ATTRIBUTE = 0.8
BASIS = 0.4
WHERE = 0.5
QUOTE = 0.3
CONTEXT = 0.2
SHARP = 2.0
ABSENT_SHARP = 0.8
ABSENT_PLAIN = 0.25

# Distance between a word and a value, in words; joints of a sentence count as more.
STEP_COMMA = 3
STEP_CLAUSE = 5
STEP_SENTENCE = 8
REACH = 45.0
FAR = 0.4
RIVAL = 0.75

# How many blocks are looked at closely.
BLOCKS = 80
LOOKED_AT = 400

# Alignment.
REACH_CHARS = 80
TEXT = 1.0
ROW_LABEL = 1.2
COLUMN_LABEL = 1.0
HEADING_LABEL = 0.7
CAPTION_LABEL = 0.3
BAG = 0.8

# What speaks against a candidate.
ASIDE = 60
PAST = 0.6
PLANNED = 0.8
KIN = 1.0

# A candidate's total: the words that name the claim, against the place where it stood.
NAMED = 0.55
ANCHOR = 0.15

# The decision.
FLOOR_PLACED = 0.6
FLOOR_NAMED = 0.4
MARGIN = 0.02
SLACK = 0.02
SLACK_DIGIT = 0.02
SLACK_MOST = 0.08

# Texts.
SLOT = 120  # characters of a cell that can be a value as a whole
SLOT_WORDS = 8  # words that may stand in a slot of a sentence
SIDE = 6  # words on each side of a slot that it is found by
LIST_PLACED = 0.5
LIST_NAMED = 0.27
LIST_SHARE = 0.5
LIST_KEPT = 0.85
LIST_FORM = 0.8
APPEARED = 0.5

PART = 0.75
LOCAL = 1.0
NEW_WORD = 0.5
SHARP_ALONE = 0.7
SUBJECT_SHARE = 0.62

PLACE_LOST = 0.45
PLACE_SURE = 0.8
CLAIMED_TOP = 8
TAKEN = 0.4
TAKEN_LEAD = 0.15
RIVALS = 60
FLOOR_LOST = 0.5
LEAST_SUBJECT = 0.05
LEAST_ATTRIBUTE = 0.15
LEAST_CAP = 0.3
ENOUGH = 0.4
UNIDENTIFIED = 0.5
ANCHORS = 4
ANCHOR_NEAR = 0.8
TAKEN_UNNAMED = 1.6
TOPIC = 0.35
OFTEN = 3.0
NEAR_VALUE = 0.03
ON_TOPIC = 0.4
MARK_FROM = 0.5
ABSENT_NAME = 0.4
OURS_LOWER = 0.06
WEAK = 0.06
LEADING = (0.4, 0.7)
STEP_LINE = 20
OWNED = 0.85
SAME_SUBJECT = 0.1
SAME_PLACE = 0.97
WEIGHTS = (
    -1.97,
    3.94,
    1.10,
    -0.86,
    -1.09,
    -0.51,
    -0.51,
    4.29,
    -0.24,
    2.62,
    3.63,
    0.68,
    -2.79,
    -0.76,
    4.45,
    2.91,
    -2.07,
    0.05,
    0.05,
    4.25,
    3.82,
    0.23,
)
WEIGHTS_PLACED = (
    -3.00,
    1.81,
    0.18,
    -0.23,
    -0.59,
    -0.15,
    -1.08,
    1.70,
    -0.67,
    0.14,
    1.11,
    2.04,
    -0.77,
    -0.93,
    2.93,
    2.15,
    0.00,
    -3.45,
    -1.06,
    1.91,
    2.70,
    2.14,
    3.57,
    2.31,
    -0.84,
    3.98,
    1.31,
    -2.96,
    -1.45,
)
RACING = 60
SURE_HOLDS = 0.55
LEAD_DRIFTED = 1.1
LEAD_GONE = 1.1
IN_THE_RACE = 3.0
ATTRIBUTE_SIGN = 15
LABEL_SIGN = 5
RESPELLED = 0.85
LABELLED = 1.15
IDENTIFIER_LOST = 5.0
LACKING = 0.6
