import { Agent, get, type IncomingMessage } from "node:http";
import { signIn } from "../tests/support/browse.ts";
import type { TestServer } from "../tests/support/start-server.ts";

/** A browser as the server sees one: signed in, keeps its connection, takes compressed pages. */
export interface Visitor extends Disposable {
  /**
   * Milliseconds to the last byte, or to that of a text in the page, redirects included. A page that is read for its text comes uncompressed.
   *
   * @throws when the page is not there, or the text is not in it.
   */
  time(path: string, until?: string): Promise<number>;
}

/** Not the one of a library: pages are streamed to browsers and held back for bots. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const MAX_REDIRECTS = 3;

interface Answer {
  status: number;
  location: string | undefined;
  /** When the text that was asked for had come, by `performance.now`. */
  foundAt: number | null;
}

export async function openVisitor(server: Pick<TestServer, "url" | "owner">): Promise<Visitor> {
  const { cookie } = await signIn(server);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { cookie, "user-agent": USER_AGENT, accept: "text/html", "accept-encoding": "gzip, deflate, br" };

  function request(path: string, until?: string): Promise<Answer> {
    const asked = until === undefined ? headers : { ...headers, "accept-encoding": "identity" };
    return new Promise((resolve, reject) => {
      get(new URL(path, server.url), { agent, headers: asked }, (answer: IncomingMessage) => {
        let [foundAt, tail]: [number | null, string] = [null, ""];
        answer.on("data", (piece: Buffer) => {
          if (until === undefined || foundAt !== null) return;
          const text = tail + piece.toString("latin1");
          if (text.includes(until)) foundAt = performance.now();
          tail = text.slice(-until.length);
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, foundAt }));
        answer.on("error", reject);
      }).on("error", reject);
    });
  }

  return {
    async time(path, until) {
      const startedAt = performance.now();
      let next = path;
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const { status, location, foundAt } = await request(next, until);
        if (status >= 300 && status < 400 && location) next = location;
        else if (status !== 200) throw new Error(`${next} answered ${status}`);
        else if (until !== undefined && foundAt === null) throw new Error(`${next} has no “${until}”`);
        else return (foundAt ?? performance.now()) - startedAt;
      }
      throw new Error(`${path} redirects more than ${MAX_REDIRECTS} times`);
    },
    [Symbol.dispose]() {
      agent.destroy();
    },
  };
}
