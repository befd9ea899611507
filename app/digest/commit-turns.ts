import type { MappedItem } from "./mapped-batch.ts";

type Identified = Pick<MappedItem, "projectId" | "identity">;

interface Commit {
  items: readonly Identified[];
  ended: Promise<void>;
}

/**
 * Lets commits of several lanes happen beside each other. Two that have an identity in common happen one after the other: each
 * asks the event store what it has, and would find nothing of the other.
 */
export class CommitTurns {
  readonly #commits = new Set<Commit>();

  /** Waits for nobody who comes later. */
  async run<Result>(items: readonly Identified[], commit: () => Promise<Result>): Promise<Result> {
    const before = [...this.#commits].filter((other) => shareIdentity(other.items, items));
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const own = { items, ended };
    this.#commits.add(own);
    try {
      for (const other of before) await other.ended;
      return await commit();
    } finally {
      this.#commits.delete(own);
      end();
    }
  }
}

function shareIdentity(one: readonly Identified[], other: readonly Identified[]): boolean {
  const keys = new Set(one.flatMap(toKey));
  return keys.size > 0 && other.flatMap(toKey).some((key) => keys.has(key));
}

function toKey({ projectId, identity }: Identified): string | [] {
  return identity === null ? [] : `${projectId}:${identity}`;
}
