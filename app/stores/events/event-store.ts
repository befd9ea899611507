import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { ErrorEvents } from "./error-events.ts";
import type { EventDeletion } from "./event-deletion.ts";
import type { EventLog } from "./event-log.ts";
import type { EventRebuild } from "./event-rebuild.ts";
import type { Items } from "./items.ts";
import type { Logs } from "./logs.ts";
import type { MovedDays } from "./moved-days.ts";
import type { OldItems } from "./old-items.ts";
import type { Sessions } from "./sessions.ts";
import type { SpanSearch } from "./span-search.ts";
import type { SpanSums } from "./span-sums.ts";
import type { Spans } from "./spans.ts";
import type { Traces } from "./traces.ts";
import type { TransactionSums } from "./transaction-sums.ts";

/** Everything that people read of it. */
export interface EventReader
  extends Omit<ErrorEvents, "moveEvents">,
    Items,
    Sessions,
    Spans,
    Logs,
    Traces,
    SpanSums,
    TransactionSums,
    SpanSearch {
  /** Environments seen, most recent first (to the hour), at most 200. */
  listEnvironments(projectIds: ScopedProjectIds): Promise<string[]>;
  /**
   * Another number each time that rows were deleted, moved or restored, before anyone reads without them. What somebody keeps of an answer
   * ends with it. New rows do not change it.
   */
  rowsVersion(): number;
  /**
   * Runs `work`. What it reads waits behind what others read who have asked for less lately, each asker being somebody of this name.
   * Without it, the server itself asks, and goes first.
   */
  readFor<Result>(asker: string, work: () => Result): Result;
}

/** Files of the store that may be copied from outside of the process. */
export interface HeldFiles {
  /** Ends the hold. */
  release(): void;
  /** False when the files were rewritten meanwhile, because the store had to open them again. */
  isIntact(): boolean;
}

/** The place of a row's payload. `index` null: all payloads of the block. */
export interface PayloadPlaceOfRow {
  fileId: number;
  offset: number;
  index: number | null;
}

/** A row with a payload, as the ledger counts it. */
export interface RowWithPayload {
  projectId: number;
  /** An event's id, or what an item is known by (row-keys.ts). */
  key: string;
  category: string;
  quantity: number;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

/** The log of all events and items, and everything that is read from it. One writer (digest), many readers. */
export interface EventStore extends EventLog, ErrorEvents, EventReader {
  /**
   * Sorts the next piece of new rows into the order in which pages read it, and returns whether there was one. Call it when there is
   * little else to do, because writes wait for up to a second. It changes no answer.
   */
  settle(): Promise<boolean>;
  /**
   * Sums the next spans, logs and tags of events, and gives whether there were enough. Those that came less than a minute before `now` wait for others.
   * Changes no answer of `SpanSums` and `SpanSearch`, except attributes.
   */
  rollUp(now: number): Promise<boolean>;
  /**
   * Calls `snapshot` while no write runs: writes wait for it. From then on until `release`, what the files held at that moment stays
   * where it was, and writes go on behind it. Rows take more memory meanwhile.
   */
  holdFiles(snapshot: () => Promise<void>): Promise<HeldFiles>;
  /** The rows whose payloads lie at these places. Reads all rows of a few columns. */
  findPayloads(places: readonly PayloadPlaceOfRow[]): Promise<RowWithPayload[]>;
  /** What people delete. */
  readonly deletion: EventDeletion;
  /** Takes what was deleted before out of the log. False: it could not be done now, because the files are held or the disk is nearly full. */
  checkpoint(): Promise<boolean>;
  /** Restores rows after the database was lost. */
  readonly rebuild: EventRebuild;
  /** Days whose rows lie in files of their own. */
  readonly movedDays: MovedDays;
  /** Converts items that earlier versions stored whole into rows. */
  readonly oldItems: OldItems;
  /** Answers when the engine works. @throws otherwise */
  ping(): Promise<void>;
  bytesOnDisk(): Promise<number>;
  close(): Promise<void>;
}
