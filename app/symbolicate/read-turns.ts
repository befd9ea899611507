/**
 * Controls how one event reads files: one at a time, so that other events can read theirs in between. After its deadline, only a first file
 * is still read, so that each request makes progress.
 */
export interface ReadTurns {
  /** Null: the event is late, and nothing is read. */
  take<Value>(read: () => Promise<Value>): Promise<Value | null>;
}

export function createReadTurns(isLate: () => boolean): ReadTurns {
  let last: Promise<unknown> = Promise.resolve();
  let hasRead = false;
  return {
    take: async (read) => {
      const turn = last.then(() => {
        if (hasRead && isLate()) return null;
        hasRead = true;
        return read();
      });
      last = turn.catch(() => {});
      return await turn;
    },
  };
}
