import type { SequenceRange } from "../../domain/journal-positions.ts";
import type { UserDataCount, UserField } from "../../domain/named-user.ts";
import type { PayloadRef } from "../payload-store.ts";
import type { PartTable } from "./row-keys.ts";

/** The events to delete. */
export type EventSelection =
  /** All of issues, the ones that ended in them included. */
  | { kind: "issues"; projectId: number; issueIds: readonly number[] }
  | { kind: "events"; projectId: number; eventIds: readonly string[] }
  /**
   * Events of users with one of these keys (`EventRow.userKey`, in lower case if the case makes no difference) that arrived up to that
   * time.
   */
  | { kind: "users"; projectIds: readonly number[]; userKeys: readonly string[]; ignoresCase: boolean; upTo: number };

/** Something that was counted as accepted, and is counted as deleted from now on. */
export interface DeletedItem {
  category: string;
  quantity: number;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

/** An event with what belongs to it. */
export interface SelectedEvent {
  projectId: number;
  /** 32 lower-case hex characters. */
  eventId: string;
  /** The facts by which its issue and release count the event. Null: neither counts it, as for a transaction. */
  occurrence: {
    issueId: number;
    occurredAt: number;
    environment: string | null;
    /** As the event has it. */
    release: string | null;
    userKey: string | null;
  } | null;
  /** The event first, then attachments, reports of users and the like. */
  items: DeletedItem[];
}

/** Something that is deleted by itself: an item, or sessions of one record. */
export interface SelectedItem extends DeletedItem {
  projectId: number;
  /** See row-keys.ts. */
  key: string;
  /** See `ItemRow.identity`. */
  identity: string | null;
}

/** A span or a log. */
export interface SelectedPart extends SelectedItem {
  table: PartTable;
  sequence: number;
  /** The time that it is about: microseconds since 1970. */
  atUs: number;
}

/** Spans and logs of a user that came until then. Values in lower case where letters may be large or small. */
export interface RowsOfUser {
  projectIds: readonly number[];
  user: { field: UserField; values: readonly string[] };
  upTo: number;
}

export interface SelectedSession extends SelectedItem {
  sequence: number;
}

/** A run of rows in the order in which they came. */
export interface RowScan {
  projectIds: readonly number[];
  /** Rows that came later than that, and until then: milliseconds since 1970. */
  after: number;
  upTo: number;
  /** Rows of records in one of these ranges; null: of all. */
  sequences: readonly SequenceRange[] | null;
  /** The number of rows. All other rows of the same millisecond as the last one come in addition. */
  limit: number;
}

export interface ScannedEvent extends SelectedEvent {
  userKey: string | null;
  payload: PayloadRef;
}

export interface ScannedItem extends SelectedItem {
  sequence: number;
  itemIndex: number;
  type: string;
  eventId: string | null;
  payload: PayloadRef;
}

/** `upTo`: where the next one goes on; null at the end. */
export interface ScannedRows<Row> {
  rows: Row[];
  upTo: number | null;
}

export interface ItemPlace {
  projectId: number;
  sequence: number;
  itemIndex: number;
  receivedAt: number;
}

/** Takes rows out of the event store before their time. */
export interface EventDeletion {
  /** Some events of the selection, at most `limit`; empty when none is left. */
  listSelected(selection: EventSelection, limit: number): Promise<SelectedEvent[]>;
  /** Deletes events with the items that belong to them. Those that are not there are passed over. */
  deleteEvents(events: ReadonlyArray<Pick<SelectedEvent, "projectId" | "eventId">>): Promise<void>;
  /** Deletes all rows of a project, of every table; gives how many there were. */
  deleteProject(projectId: number): Promise<number>;
  /** The number of events and items to look through. */
  countRows(scan: Pick<RowScan, "projectIds" | "upTo">): Promise<{ events: number; items: number }>;
  /**
   * The rows that name a user themselves, by project: `userKeys` as for `EventSelection`, sessions of `sessionUserIds`, spans and logs
   * of `named`.
   */
  countOfUser(user: {
    projectIds: readonly number[];
    userKeys: readonly string[];
    ignoresCase: boolean;
    sessionUserIds: readonly string[];
    named: RowsOfUser["user"];
    upTo: number;
  }): Promise<UserDataCount[]>;
  scanEvents(scan: RowScan): Promise<ScannedRows<ScannedEvent>>;
  scanItems(scan: RowScan): Promise<ScannedRows<ScannedItem>>;
  /** Everything that names the events or replays and came until then: `receivedAt` in milliseconds since 1970. */
  listItemsOf(owners: ReadonlyArray<{ projectId: number; eventId: string }>, upTo: number): Promise<ScannedItem[]>;
  deleteItems(items: readonly ItemPlace[]): Promise<void>;
  /** Sessions of a user (see `SessionRow.userId`) that came until then, at most `limit` rows. */
  listSessions(
    sessions: { projectIds: readonly number[]; userId: string; upTo: number },
    limit: number,
  ): Promise<SelectedSession[]>;
  /** Spans or logs of a user, at most `limit`. */
  listParts(table: PartTable, rows: RowsOfUser, limit: number): Promise<SelectedPart[]>;
  /** The spans of transactions, by the records that brought these. */
  listSpansOf(
    transactions: ReadonlyArray<{ projectId: number; sequence: number; receivedAt: number }>,
  ): Promise<SelectedPart[]>;
  deleteParts(parts: readonly SelectedPart[]): Promise<void>;
  deleteSessions(sessions: { userId: string; rows: readonly SelectedSession[] }): Promise<void>;
  /** Which of these users still have an event in the issue, and whether the issue has any event. */
  findLeft(issue: {
    projectId: number;
    issueIds: readonly number[];
    userKeys: readonly string[];
  }): Promise<{ events: number; userKeys: string[] }>;
}
