import type { ErrorEvents } from "./error-events.ts";
import type { EventLog } from "./event-log.ts";
import type { Items } from "./items.ts";
import type { Sessions } from "./sessions.ts";

/** The log of what came, and everything that is read from it. One writer (digest), many readers. */
export interface EventStore extends EventLog, ErrorEvents, Items, Sessions {
  /** Environments seen, most recent first (to the hour), at most 200. */
  listEnvironments(projectIds: number[]): Promise<string[]>;

  /**
   * Puts the next piece of what has come into the order in which pages read it, and gives whether there was one: for when
   * there is little else to do, because it keeps writes waiting for up to a second. Changes no answer.
   */
  settle(): Promise<boolean>;
  /** Answers when the engine works. @throws otherwise */
  ping(): Promise<void>;
  bytesOnDisk(): Promise<number>;
  close(): Promise<void>;
}
