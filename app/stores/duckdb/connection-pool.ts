import { createInTurn } from "../../domain/in-turn.ts";
import { ReadLimitError } from "../../domain/read-limit.ts";
import { UsedTime } from "./used-time.ts";

/** Waiting statements of one asker. A page that sums many attributes has some fifty at once. */
const MAX_WAITING = 200;
const MAX_WAIT_MS = 30_000;

interface Waiting<Connection> {
  asker: string | null;
  give: (connection: Connection) => void;
}

/**
 * Connections with the same purpose. Each runs one statement or transaction at a time; further ones wait. The server's own statements go
 * first. Among people, the one who has used the least time lately goes next, so a person who asks for much delays only themselves.
 */
export class ConnectionPool<Connection> {
  readonly #connections: readonly Connection[];
  readonly #idle: Connection[];
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiting<Connection>>();
  readonly #used: UsedTime;
  readonly #holdInTurn = createInTurn();

  /** @param now in milliseconds */
  constructor(connections: readonly Connection[], now: () => number = () => performance.now()) {
    this.#connections = connections;
    this.#idle = [...connections];
    this.#used = new UsedTime(now);
  }

  /**
   * @param asker the person who wants it; null: the server itself, which waits without a limit
   * @throws {ReadLimitError} if the asker has `MAX_WAITING` statements waiting, or one that has waited for `MAX_WAIT_MS`
   */
  async use<Result>(action: (connection: Connection) => Promise<Result>, asker: string | null = null): Promise<Result> {
    const connection = await this.#take(asker);
    try {
      return await action(connection);
    } finally {
      if (asker !== null) this.#used.end(asker);
      this.#giveBack(connection);
    }
  }

  /**
   * Runs an action with all connections, once none of them is in use. Calls run one after another: two of them would wait for each other's
   * connections.
   */
  hold<Result>(action: (connections: readonly Connection[]) => Promise<Result>): Promise<Result> {
    return this.#holdInTurn(async () => {
      await Promise.all(this.#connections.map(() => this.#take(null)));
      try {
        return await action(this.#connections);
      } finally {
        for (const connection of this.#connections) this.#giveBack(connection);
      }
    });
  }

  /** Whether the asker has used so much time lately that they get only one connection while others are active. */
  isHeavyUser(asker: string | null): boolean {
    return asker !== null && this.#used.isHeavy(asker) && !this.#used.isAlone(asker);
  }

  #take(asker: string | null): Promise<Connection> {
    if (this.#idle.length > 0 && this.#mayTake(asker)) return Promise.resolve(this.#handOut(asker));
    if (asker === null) return new Promise((give) => this.#waiting.add({ asker, give }));
    let waiting = 0;
    for (const other of this.#waiting) if (other.asker === asker) waiting++;
    if (waiting >= MAX_WAITING) return Promise.reject(new ReadLimitError("turn"));
    return new Promise((resolve, reject) => {
      const give = (given: Connection) => {
        clearTimeout(timer);
        resolve(given);
      };
      const own = { asker, give };
      const timer = setTimeout(() => {
        this.#waiting.delete(own);
        reject(new ReadLimitError("turn"));
      }, MAX_WAIT_MS);
      this.#waiting.add(own);
    });
  }

  #handOut(asker: string | null): Connection {
    if (asker !== null) this.#used.begin(asker);
    return this.#idle.pop() as Connection;
  }

  /**
   * Whether an asker may take one more connection. An asker who used much leaves some for others, even if nobody else waits: somebody
   * who asked lately may ask again the next moment.
   */
  #mayTake(asker: string | null): boolean {
    return asker === null || this.#used.running(asker) === 0 || !this.isHeavyUser(asker);
  }

  #giveBack(connection: Connection): void {
    this.#idle.push(connection);
    while (this.#idle.length > 0) {
      const next = this.#findNext();
      if (next === null) return;
      this.#waiting.delete(next);
      next.give(this.#handOut(next.asker));
    }
  }

  #findNext(): Waiting<Connection> | null {
    let next: Waiting<Connection> | null = null;
    let least = Number.POSITIVE_INFINITY;
    const known = new Map<string, number>();
    for (const waiting of this.#waiting) {
      const { asker } = waiting;
      if (asker === null) return waiting;
      let used = known.get(asker);
      if (used === undefined) {
        used = this.#mayTake(asker) ? this.#used.of(asker) : Number.POSITIVE_INFINITY;
        known.set(asker, used);
      }
      if (used >= least) continue;
      [next, least] = [waiting, used];
    }
    return next;
  }
}
