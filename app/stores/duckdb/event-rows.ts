import type { Level } from "../../domain/level.ts";
import type { EventRow } from "../events/error-events.ts";
import { fromTagText } from "../events/tag-text.ts";
import type { SqlRow } from "./duckdb-reader.ts";

/** The columns of `events` that `toStoredEventRow` reads. The other columns repeat what is in these. */
const ROW_COLUMNS = [
  "ordinal",
  "sequence",
  "project_id",
  "issue_id",
  "event_id",
  "occurred_at",
  "received_at",
  "level",
  "platform",
  "environment",
  "release",
  "dist",
  "transaction_name",
  "title",
  "user_key",
  "user_name",
  "trace_id",
  "span_id",
  "replay_id",
  "sdk_name",
  "is_unhandled",
  "tags",
  "payload_file",
  "payload_offset",
  "payload_index",
  "payload_bytes",
];

/**
 * The row as JSON. One column, because a result holds memory for 2,048 values of every column until its garbage is
 * collected, and because BIGINT would arrive as `bigint`.
 */
export const EVENT_SELECTION = `to_json({${ROW_COLUMNS.map((name) => `${name}: ${name}`).join(", ")}})::VARCHAR AS row`;

export interface StoredEventRow {
  /** The store's own running number. Events are ordered by `occurredAt`, then by it. */
  ordinal: number;
  event: EventRow;
}

/** Converts a row of the result of `EVENT_SELECTION`. */
export function toEventRow(result: SqlRow): StoredEventRow {
  return toStoredEventRow(JSON.parse(String(result.row)));
}

/** Converts a row by its column names. */
export function toStoredEventRow(row: SqlRow): StoredEventRow {
  return {
    ordinal: Number(row.ordinal),
    event: {
      sequence: Number(row.sequence),
      projectId: Number(row.project_id),
      issueId: Number(row.issue_id),
      eventId: toEventId(row.event_id),
      occurredAt: Number(row.occurred_at),
      receivedAt: Number(row.received_at),
      level: String(row.level) as Level,
      platform: String(row.platform),
      environment: toText(row.environment),
      release: toText(row.release),
      dist: toText(row.dist),
      transaction: toText(row.transaction_name),
      title: String(row.title),
      userKey: toText(row.user_key),
      userName: toText(row.user_name),
      traceId: toText(row.trace_id),
      spanId: toText(row.span_id),
      replayId: toText(row.replay_id),
      sdkName: toText(row.sdk_name),
      isUnhandled: row.is_unhandled === true,
      tags: fromTagText(String(row.tags)),
      payload: {
        fileId: Number(row.payload_file),
        offset: Number(row.payload_offset),
        index: Number(row.payload_index),
      },
      payloadBytes: Number(row.payload_bytes),
    },
  };
}

/** DuckDB writes a UUID with hyphens. */
export function toEventId(uuid: SqlRow[string] | undefined): string {
  return String(uuid).replaceAll("-", "");
}

export function toText(value: SqlRow[string] | undefined): string | null {
  return typeof value === "string" ? value : null;
}
