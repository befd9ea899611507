import { describeStateStore } from "../state-store.contract.ts";
import { createSqliteStateDatabase } from "./sqlite-state-database.ts";

describeStateStore("SQLite", createSqliteStateDatabase);
