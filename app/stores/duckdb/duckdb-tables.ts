import type { StoredSignal } from "../../domain/stored-signal.ts";
import { EVENTS } from "../events/event-table.ts";
import { ITEMS } from "../events/item-table.ts";
import { LOG_ROWS } from "../events/log-table.ts";
import { SESSION_ROWS } from "../events/session-table.ts";
import { SPAN_ROWS } from "../events/span-table.ts";
import type { Table } from "../events/table.ts";
import { IDENTIFIED_EVENTS, IDENTIFIED_ITEMS, IDENTIFIED_SESSIONS, type IdentifiedTable } from "./identity-index.ts";

export interface DuckdbTable {
  shape: Table;
  /** The signal of the table's rows. `by-category`: the column `category` of each row decides. */
  signal: StoredSignal | "by-category";
  /** Columns that DuckDB fills from the others: expressions in SQL. */
  derived: Readonly<Record<string, string>>;
  /** Absent: its rows have no identity. */
  identity?: IdentifiedTable;
  /** SQL that counts the items of a group of rows, in the unit of their category. */
  quantity: string;
  /**
   * Text columns that new files compress with zstd: long texts that differ. zstd stores the length of each text in four bytes. For texts
   * that repeat, that is more than DuckDB's dictionary takes.
   */
  packed?: readonly string[];
  /** A column with the instant at which a row is deleted, if that is before the end of its retention. */
  expiresAt?: string;
}

/** Every table of the log. Of two rows of one record with the same identity, that of the earlier table counts. */
export const DUCKDB_TABLES: readonly DuckdbTable[] = [
  {
    shape: EVENTS,
    signal: "errors",
    derived: { user_hash: "md5_number_lower(user_key)" },
    identity: IDENTIFIED_EVENTS,
    quantity: "count(*)",
    packed: ["tags"],
  },
  {
    shape: ITEMS,
    signal: "by-category",
    derived: { event_id_hash: "md5_number_lower(event_id)", trace_id_hash: "md5_number_lower(trace_id)" },
    identity: IDENTIFIED_ITEMS,
    // Containers hold many of what their category counts.
    quantity: "sum(greatest(quantity, 1))",
    expiresAt: "expires_at",
  },
  {
    shape: SESSION_ROWS,
    signal: "sessions",
    derived: {},
    identity: IDENTIFIED_SESSIONS,
    // A single item with sessions that an SDK counted makes many rows.
    quantity: "count(DISTINCT (sequence, session_id))",
  },
  {
    shape: SPAN_ROWS,
    signal: "by-category",
    derived: {},
    // A transaction is counted by its item.
    quantity: "count(*) FILTER (category <> 'transaction')",
    packed: ["attributes"],
  },
  { shape: LOG_ROWS, signal: "logs", derived: {}, quantity: "count(*)", packed: ["body", "attributes"] },
];
