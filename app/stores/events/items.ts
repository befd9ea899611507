import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { PayloadRef } from "../payload-store.ts";

/** Any other item (transaction, span container, log container, session, …): kept whole in its payload. */
export interface ItemRow {
  sequence: number;
  /** Place of the item in its envelope: with the sequence, its identity. */
  itemIndex: number;
  projectId: number;
  /** Item type as sent, at most 64 characters. */
  type: string;
  category: string;
  /** How many things the item holds: 1, or the length of a container. */
  quantity: number;
  /** Event id of the envelope or payload (a transaction's id, the event an attachment belongs to, a replay's id). */
  eventId: string | null;
  traceId: string | null;
  occurredAt: number;
  receivedAt: number;
  environment: string | null;
  release: string | null;
  /**
   * What tells it from all other items and events of its project, however often it is sent: 32 lower-case hex characters,
   * its event id where it has one of its own. Null: nothing does.
   */
  identity: string | null;
  /** Its name in a list: transaction name, file name, monitor slug; null if it has none. */
  name: string | null;
  /** When it is dropped ahead of the usual retention (unknown types: seven days after they came); null: as usual. */
  expiresAt: number | null;
  payload: PayloadRef;
  /** Of the stored payload, which has the item's headers, too. */
  payloadBytes: number;
  /** Of a file: what somebody gets who downloads it. Null: it is no file, or was stored before this was kept. */
  contentBytes: number | null;
  /** Of an attachment: its media type, as its sender said. Null: it is none, or was stored before this was kept. */
  contentType: string | null;
  /** `event.attachment`, `event.minidump`, …; null as above. */
  attachmentType: string | null;
  /** Of an attachment: SHA-1 of what somebody gets who downloads it, in hexadecimal digits; null as above. */
  contentSha1: string | null;
}

/** Items that are kept whole, as pages read them. */
export interface Items {
  /** Items that belong to an event or trace (attachments, user reports, …), oldest first. None when neither is named. */
  listItems(filter: {
    projectIds: ScopedProjectIds;
    eventId?: string;
    traceId?: string;
    types?: string[];
    /** Only the item of this place. */
    place?: Pick<ItemRow, "sequence" | "itemIndex">;
    /** How many of the oldest are left out; 0 if not given. */
    skip?: number;
    /** 100 if not given. */
    limit?: number;
  }): Promise<ItemRow[]>;
  countItems(filter: {
    projectIds: ScopedProjectIds;
    from: number | null;
    to: number | null;
  }): Promise<Array<{ type: string; quantity: number }>>;
}
