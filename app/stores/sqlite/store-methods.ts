import type { SqliteConnection } from "./connection.ts";

type Work<Input extends unknown[], Result> = (db: SqliteConnection, ...input: Input) => Result;

/** Makes methods of stores from functions: `read` runs one on a snapshot of the database, `write` in a write transaction. */
export function createStoreMethods(db: SqliteConnection) {
  return {
    read<Input extends unknown[], Result>(work: Work<Input, Result>) {
      return async (...input: Input) => db.read(() => work(db, ...input));
    },
    write<Input extends unknown[], Result>(work: Work<Input, Result>) {
      return (...input: Input) => db.write(() => work(db, ...input));
    },
  };
}
