/** Stored events of an issue that are not yet where people want them. Until they are, what counts events may be wrong. */
export type UnsettledEvents =
  /** They come from these issues. */
  | { kind: "coming"; shortIds: string[] }
  /** They go to these issues. Without any: each is looked at, and nobody knows yet where it goes. `lookedAtCount`: so far. */
  | { kind: "leaving"; shortIds: string[]; lookedAtCount: number }
  /** They are deleted, and still shown. */
  | { kind: "deleted" };
