/** The limits of a read that it can exceed. */
export type ReadLimit = "time" | "memory" | "turn" | "downloads";

/** Seconds after which another attempt may succeed. */
export const READ_AGAIN_SECONDS = 10;

const MESSAGES = {
  time: "a read of the event store took too much time",
  memory: "a read of the event store took too much memory",
  turn: "a read of the event store waited too long for its turn",
  downloads: "clients have yet to take too much of other files",
} satisfies Record<ReadLimit, string>;

/** A store gave up on a read: it took too long, needed more memory than there is, or would have waited too long for its turn. Another one may well be answered. */
export class ReadLimitError extends Error {
  override readonly name = "ReadLimitError";
  readonly limit: ReadLimit;

  constructor(limit: ReadLimit, options?: ErrorOptions) {
    super(MESSAGES[limit], options);
    this.limit = limit;
  }
}

/** Null: something else failed. By its name: the build of the pages has a class of its own, and gets errors of the server's. */
export function findReadLimit(error: unknown): ReadLimit | null {
  return error instanceof Error && error.name === "ReadLimitError" ? (error as ReadLimitError).limit : null;
}

/** The message for people. */
export function sayReadLimit(limit: ReadLimit): string {
  if (limit === "turn")
    return "Too many searches wait for their turn. Try again when some have ended; searches that you have open in other tabs count, too.";
  if (limit === "downloads") return "Too many large files are being downloaded. Try again when some have ended.";
  return limit === "time"
    ? "This search took too long, and was stopped. Choose a shorter time, or search for fewer things at once."
    : "This search needs more memory than the event store has. Choose a shorter time, or group by something with fewer values. The operator can raise EVENTS_MEMORY_BYTES.";
}
