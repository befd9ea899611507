import { describeEventStore } from "../event-store.contract.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";

describeEventStore("DuckDB", createDuckdbEventDatabase);
