import { createInTurn } from "../domain/in-turn.ts";

/**
 * Controls how one event reads files: one at a time, so that other events can read theirs in between. After its deadline, only a first file
 * is still read, so that each request makes progress.
 */
export interface ReadTurns {
  /** Null: the event is late, and nothing is read. */
  take<Value>(read: () => Promise<Value>): Promise<Value | null>;
}

export function createReadTurns(isLate: () => boolean): ReadTurns {
  const inTurn = createInTurn();
  let hasRead = false;
  return {
    take: (read) =>
      inTurn(() => {
        if (hasRead && isLate()) return null;
        hasRead = true;
        return read();
      }),
  };
}
