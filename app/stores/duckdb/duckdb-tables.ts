import type { StoredSignal } from "../../domain/stored-signal.ts";
import { EVENTS } from "../events/event-table.ts";
import { ITEMS } from "../events/item-table.ts";
import type { Table } from "../events/rows.ts";
import { SESSION_ROWS } from "../events/session-table.ts";
import { IDENTIFIED_EVENTS, IDENTIFIED_ITEMS, IDENTIFIED_SESSIONS, type IdentifiedTable } from "./identity-index.ts";

/** A table as DuckDB keeps it. */
export interface DuckdbTable {
  shape: Table;
  /** What its rows are. `by-category`: its column `category` says so. */
  signal: StoredSignal | "by-category";
  /** Columns that DuckDB fills from the others: expressions in SQL. */
  derived: Readonly<Record<string, string>>;
  /** Absent: its rows have no identity. */
  identity?: IdentifiedTable;
  /** Rows go before the usual retention when this column's instant has come. */
  expiresAt?: string;
}

/** Every table of the log. Of two rows of one record with the same identity, that of the earlier table counts. */
export const DUCKDB_TABLES: readonly DuckdbTable[] = [
  {
    shape: EVENTS,
    signal: "errors",
    derived: { user_hash: "md5_number_lower(user_key)" },
    identity: IDENTIFIED_EVENTS,
  },
  {
    shape: ITEMS,
    signal: "by-category",
    derived: { event_id_hash: "md5_number_lower(event_id)", trace_id_hash: "md5_number_lower(trace_id)" },
    identity: IDENTIFIED_ITEMS,
    expiresAt: "expires_at",
  },
  { shape: SESSION_ROWS, signal: "sessions", derived: {}, identity: IDENTIFIED_SESSIONS },
];
