/** Rules in one text. Every event is compared with every rule, and only generated texts have more. */
export const MAX_RULES = 200;
/** Characters of one text. */
export const MAX_RULES_CHARS = 32_768;
/** Characters of one line. */
export const MAX_LINE_CHARS = 1_000;
/** Matchers of one rule. */
export const MAX_MATCHERS = 20;
/** Values after the arrow. SDKs send no longer fingerprints either. */
export const MAX_FINGERPRINT_PARTS = 20;
/** Characters of one pattern. */
export const MAX_PATTERN_CHARS = 300;
/** Frames that `max-frames` and `min-frames` can name: normalisation keeps as many. */
export const MAX_FRAME_COUNT = 300;
/** Characters of the name of a merge or a split. */
export const MAX_DECISION_NAME_CHARS = 120;
/** Characters of a rule where an event names it. */
export const MAX_RULE_TEXT_CHARS = 200;
