// Loaded before a server (`node --import`): while the file READ_LIMIT_FILE is there, each read of the event store ends as one does that DuckDB was told
// to give up. While the file READ_HOLD_FILE is there, none ends. Writes, and what runs in the background, go on.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

const path = process.env.READ_LIMIT_FILE ?? "";
const holdPath = process.env.READ_HOLD_FILE ?? "";
const require = createRequire(import.meta.url);
// What is native: DuckDB's API around it is in the server's bundle. Its properties cannot be changed, so a copy takes its place.
const duckdb = require("@duckdb/node-bindings");
const reads = new WeakSet();

const copy = Object.fromEntries(Object.getOwnPropertyNames(duckdb).map((name) => [name, duckdb[name]]));
require.cache[require.resolve("@duckdb/node-bindings")].exports = {
  ...copy,
  async prepare(connection, sql) {
    const statement = await duckdb.prepare(connection, sql);
    if (/^\s*(?:SELECT|WITH|\()/.test(sql)) reads.add(statement);
    return statement;
  },
  async execute_prepared(statement) {
    if (reads.has(statement) && existsSync(path)) throw new Error("INTERRUPT Error: Interrupted!");
    while (reads.has(statement) && existsSync(holdPath)) await sleep(10);
    return await duckdb.execute_prepared(statement);
  },
};
