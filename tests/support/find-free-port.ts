import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below those that systems give to connections: one of these may be taken before the server listens on it, or again. */
const [FIRST_PORT, END_PORT] = [20_000, 32_000];

/** For what must know its port before it listens, or listens on it a second time. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_PORT);
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once("listening", () => done(true)).once("error", () => done(false));
      server.listen(port, "127.0.0.1");
    });
    if (!isFree) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}
