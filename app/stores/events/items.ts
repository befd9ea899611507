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
   * The identity of the item among all items and events of its project, however often it is sent: 32 lower-case hex characters. It is
   * the event id, if the item has one of its own. Null: it has no identity.
   */
  identity: string | null;
  /** Its name in a list: transaction name, file name, monitor slug; null if it has none. */
  name: string | null;
  /**
   * When it is deleted, if that is before the usual retention: unknown types are kept for seven days after they arrive. Null: by the
   * usual retention.
   */
  expiresAt: number | null;
  payload: PayloadRef;
  /** Bytes of the stored payload, which includes the item's headers. */
  payloadBytes: number;
  /** For a file: the bytes of a download. Null: it is no file, or it is from a version that did not store this. */
  contentBytes: number | null;
  /** For an attachment: the media type that its sender gave. Null: it is no attachment, or it is from a version that did not store this. */
  contentType: string | null;
  /** `event.attachment`, `event.minidump`, …; null as above. */
  attachmentType: string | null;
  /** For an attachment: SHA-1 of a download, in hexadecimal digits. Null as above. */
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
