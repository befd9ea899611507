import { describeState } from "../state/state.contract.ts";
import { createSqliteStateDatabase } from "./sqlite-state-database.ts";

describeState("SQLite", createSqliteStateDatabase);
