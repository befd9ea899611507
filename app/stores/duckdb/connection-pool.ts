/** Connections that do the same. Each runs one statement or transaction at a time; what comes more waits its turn. */
export class ConnectionPool<Connection> {
  readonly #connections: readonly Connection[];
  readonly #idle: Connection[];
  readonly #waiting: Array<(connection: Connection) => void> = [];
  #lastHold: Promise<unknown> = Promise.resolve();

  constructor(connections: readonly Connection[]) {
    this.#connections = connections;
    this.#idle = [...connections];
  }

  async use<Result>(action: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#take();
    try {
      return await action(connection);
    } finally {
      this.#giveBack(connection);
    }
  }

  /** Runs while no other connection is used. One at a time: two would wait for each other's connections. */
  hold<Result>(action: (connections: readonly Connection[]) => Promise<Result>): Promise<Result> {
    const result = this.#lastHold.then(async () => {
      await Promise.all(this.#connections.map(() => this.#take()));
      try {
        return await action(this.#connections);
      } finally {
        for (const connection of this.#connections) this.#giveBack(connection);
      }
    });
    this.#lastHold = result.catch(() => undefined);
    return result;
  }

  #take(): Promise<Connection> {
    const connection = this.#idle.pop();
    if (connection) return Promise.resolve(connection);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#idle.push(connection);
  }
}
