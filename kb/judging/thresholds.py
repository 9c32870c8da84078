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
    -1.19,
    1.82,
    0.99,
    -0.90,
    -1.20,
    -0.91,
    -1.62,
    -2.74,
    2.64,
    3.89,
    0.67,
    -1.33,
    -0.42,
    5.09,
    3.73,
    -1.95,
    0.57,
    0.57,
    2.36,
    3.62,
    -0.42,
)
WEIGHTS_PLACED = (
    -2.44,
    1.42,
    0.15,
    -0.12,
    -0.67,
    0.14,
    -1.15,
    -1.13,
    0.33,
    1.37,
    2.10,
    0.11,
    -1.16,
    2.48,
    1.86,
    -0.03,
    -3.32,
    -1.37,
    2.02,
    2.86,
    2.09,
    3.53,
    2.78,
    -0.98,
    3.43,
    1.38,
    -2.36,
    -1.48,
)
RACING = 60
SURE_HOLDS = 0.5
LEAD_DRIFTED = 1.2
LEAD_GONE = 1.3
IN_THE_RACE = 3.0
ATTRIBUTE_SIGN = 14
LABEL_SIGN = 5
RESPELLED = 0.85
LABELLED = 1.15
IDENTIFIER_LOST = 5.0
