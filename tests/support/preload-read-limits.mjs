// Loaded before a server (`node --import`): while the file READ_LIMIT_FILE is there, each read of the event store ends as one does that DuckDB was told
// to give up. Writes, and what runs in the background, go on.
import { existsSync } from "node:fs";
import { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";

const path = process.env.READ_LIMIT_FILE ?? "";
const { prepare } = DuckDBConnection.prototype;
const { run } = DuckDBPreparedStatement.prototype;
const reads = new WeakSet();

DuckDBConnection.prototype.prepare = async function (sql) {
  const statement = await prepare.call(this, sql);
  if (/^\s*(?:SELECT|WITH|\()/.test(sql)) reads.add(statement);
  return statement;
};

DuckDBPreparedStatement.prototype.run = function () {
  if (reads.has(this) && existsSync(path)) return Promise.reject(new Error("INTERRUPT Error: Interrupted!"));
  return run.call(this);
};
