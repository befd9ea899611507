/** The names of what a task shares with others. `everything`: it shares something with every task. */
export type SharedKeys = ReadonlySet<string> | "everything";

interface Task {
  keys: SharedKeys;
  ended: Promise<void>;
}

/** Runs tasks beside each other. Those that share a key run one after the other, in the order of the calls. */
export class Turns {
  readonly #tasks = new Set<Task>();

  /** Does not wait for tasks that come later. If a task fails, the next one still gets its turn. */
  async run<Result>(keys: SharedKeys, task: () => Promise<Result>): Promise<Result> {
    const before = [...this.#tasks].filter((other) => haveShared(other.keys, keys));
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const own = { keys, ended };
    this.#tasks.add(own);
    try {
      for (const other of before) await other.ended;
      return await task();
    } finally {
      this.#tasks.delete(own);
      end();
    }
  }
}

function haveShared(one: SharedKeys, other: SharedKeys): boolean {
  if (one === "everything" || other === "everything") return true;
  for (const key of one) if (other.has(key)) return true;
  return false;
}
