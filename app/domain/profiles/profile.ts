/** A profile of an SDK in one shape. All of it is checked: indices are in range, times are numbers. */
export interface Profile {
  /** `transaction`: the profile of one transaction. `chunk`: a part of what a continuous profiler recorded. */
  form: "transaction" | "chunk";
  platform: string | null;
  release: string | null;
  environment: string | null;
  transaction: ProfiledTransaction | null;
  /** The thread of the transaction. */
  activeThread: string | null;
  /** Names by thread id. */
  threadNames: ReadonlyMap<string, string>;
  frames: readonly ProfileFrame[];
  /** Indices of frames, the innermost first. */
  stacks: ReadonlyArray<readonly number[]>;
  samples: readonly ProfileSample[];
  leftOut: ProfileLosses;
}

export interface ProfiledTransaction {
  id: string | null;
  name: string | null;
  traceId: string | null;
}

export interface ProfileFrame {
  name: string;
  /** Module or library. */
  module: string | null;
  file: string | null;
  line: number | null;
  isInApp: boolean;
}

export interface ProfileSample {
  /** Microseconds: since the profile began, or since 1970 in a chunk. */
  atUs: number;
  thread: string;
  /** Index of its stack. */
  stack: number;
}

/** The parts of a profile that could not be used. */
export interface ProfileLosses {
  /** Samples whose time, thread or stack cannot be read. */
  unreadable: number;
  /** Samples beyond the number that is read. */
  beyond: number;
  /** Stacks whose outer frames are kept, because they are too deep. */
  cutStacks: number;
}
