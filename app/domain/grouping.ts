/**
 * The keys by which the previous version of the grouping finds the issue of an event. They are for projects that move to the
 * present version.
 */
export interface EarlierKeys {
  /** Keys in the order in which they are looked up, 32 hex characters each. */
  hashes: string[];
  /** True: the keys contain less than the event has, so what they find is another error. */
  isVague: boolean;
}

/** Which part of an event decided its group. */
export type GroupingBasis =
  | "fingerprint"
  | "fingerprint-and-default"
  | "checksum"
  | "exception-stack"
  | "exception-value"
  | "threads"
  | "stack"
  | "csp"
  | "security-report"
  | "template"
  | "message"
  | "fallback";

/**
 * One part of the key. Indexes point into the event as it is stored, so that the page can mark the place. Values are as they were
 * hashed: cleaned and parameterised.
 */
export type GroupingContribution =
  | { kind: "exception-type"; exception: number; value: string }
  | { kind: "exception-value"; exception: number; value: string }
  | {
      kind: "frame";
      /** Index of the exception, or null when the stack belongs to a thread or to the event. */
      exception: number | null;
      frame: number;
      /** The parts of the frame that counted, as they were hashed. */
      module?: string;
      filename?: string;
      function?: string;
      contextLine?: string;
      /** For machine code without a name: the image and the position in it, like `libpay.so+0x1c40`. */
      address?: string;
    }
  | { kind: "message"; value: string }
  | { kind: "fingerprint"; template: string; value: string }
  | { kind: "detail"; name: string; value: string };

/** The rule that left something out. Tokens are stored with events: they keep their meaning. */
export type GroupingOmissionReason =
  /** Calls of a function to itself count once, with the innermost. */
  | "recursion"
  /** Put between callers by the language, a compiler or a wrapper: promises, reflection, generated helpers. */
  | "runtime-helper"
  /** Built into the engine: only some browsers list it. */
  | "native-code"
  | "evaluated-code"
  /** Code that the user's browser adds to the page. */
  | "browser-extension"
  /** Was waiting, not calling, when the error arose: only some browsers list it. */
  | "async-caller"
  /** The constructor of an error class: only some browsers list it. */
  | "error-constructor"
  /** The code that reports the error. */
  | "sdk"
  /** Functions that a program runs after it has failed. */
  | "panic-machinery"
  /** The frame in which every thread begins: its name differs between versions of a platform. */
  | "thread-base"
  /** Takes work from a queue, and calls it. */
  | "run-loop"
  /** A group of exceptions holds others together, and is not itself the error. */
  | "exception-group"
  /** Another member of the group is the same error. */
  | "same-as-another"
  /** Belongs to a part of the group that was not followed. */
  | "other-branch"
  /** It says where in the component tree the error happened, but not what happened. */
  | "component-stack"
  /** A stack-trace rule of the project. */
  | "stack-rule";

/**
 * A frame or exception that was looked at and left out, and the rule that left it out. Not listed, because the event and
 * the contributions tell: frames that are not in the app while the variant is `app`, and frames in which nothing could
 * count (no name, or only an address).
 */
export interface GroupingOmission {
  kind: "frame" | "exception";
  /** Index of the exception, or null when the stack belongs to a thread or to the event. */
  exception: number | null;
  /** Index of the frame; of the first of a run up to and with `to`. Null for an exception. */
  frame: number | null;
  /** Index of the last frame of a run that was left out for one reason. Absent for a single frame. */
  to?: number;
  reason: GroupingOmissionReason;
}

/** The rules of the project that applied to an event. */
export interface GroupingRuling {
  /** The fingerprint rule that decided, as it was then, and its line. */
  fingerprint?: { line: number; text: string };
  /** Stack-trace rules that changed which frames count, at most ten. */
  stack?: string[];
  /** The split that added its value to the key. `rest`: the key without it, by which events beyond the limit of the split go. */
  split?: { id: number; name: string; variable: string; value: string; rest: string };
  /** The rules cost too much for this event: some were not looked at. */
  isCut?: true;
}

/** Why an event is in its issue, as data that a page can say in a sentence. */
export interface GroupingExplanation {
  /** The algorithm and its version, like `culprit:1`. Frozen once released. */
  version: string;
  basis: GroupingBasis;
  /** Whether only in-app frames counted (`app`) or all frames (`system`). Null: no stack counted. */
  variant: "app" | "system" | null;
  /** The key that was looked up: 32 hex characters. */
  hash: string;
  /**
   * Parts in the order of the key. Exceptions begin with the oldest cause; each has its type, its frames from the outermost, and
   * its value.
   */
  contributions: GroupingContribution[];
  omissions: GroupingOmission[];
  /** Absent: no rule of the project had a say. */
  ruling?: GroupingRuling;
}
