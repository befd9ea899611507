import { Agent, request } from "node:http";
import { dataPaths } from "../app/data-folder/data-paths.ts";
import { hashPasswordSync } from "../app/features/auth/password.server.ts";
import { openSqliteState } from "../app/stores/sqlite/open-sqlite-state.ts";
import type { TestServer } from "../tests/support/start-server.ts";
import { sleep } from "./measurement.ts";

export interface Credentials {
  email: string;
  password: string;
  /** Where it comes from, as a proxy says. */
  address: string;
}

export interface SignInAnswers {
  /** How many answers had which status. */
  statuses: Record<string, number>;
  /** Answers of status 429 without a `Retry-After`. */
  withoutRetryAfter: number;
}

export interface SignInSenders {
  /** Ends when everything that was sent is answered. */
  stop(): Promise<SignInAnswers>;
}

const PASSWORD = "the password of a member";

/** Makes members of the server, each with an address of their own. */
export async function makeMembers(server: TestServer, count: number): Promise<Credentials[]> {
  const state = await openSqliteState({ path: dataPaths(server.dataDir).state });
  // One hash for all: the server computes it anew for each sign-in.
  const passwordHash = hashPasswordSync(PASSWORD);
  const members: Credentials[] = [];
  for (let index = 0; index < count; index++) {
    const email = `member${index}@example.com`;
    await state.people.createMember({
      ...{ email, name: `Member ${index}`, passwordHash, role: "member" },
      ...{ teamIds: [], projectIds: [], at: Date.now() },
    });
    members.push({ email, password: PASSWORD, address: toAddress(index) });
  }
  await state.close();
  return members;
}

/** Each of another network. */
export function toAddress(index: number): string {
  return `2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`;
}

/** So many senders, each as soon as it has its answer. */
export function sendInTurn(url: string, senders: number, next: (count: number) => Credentials): SignInSenders {
  const sending = openSending(url, senders);
  let count = 0;
  let isStopped = false;
  const running = Array.from({ length: senders }, async () => {
    while (!isStopped) await sending.send(next(count++));
  });
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running);
      return sending.end();
    },
  };
}

/** So many a second, whatever the answers take: people do not wait for each other. */
export function sendAtRate(url: string, rate: number, next: (count: number) => Credentials): SignInSenders {
  const sending = openSending(url, Number.POSITIVE_INFINITY);
  const startedAt = performance.now();
  const open = new Set<Promise<void>>();
  let count = 0;
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      const due = ((performance.now() - startedAt) / 1_000) * rate;
      for (; count < due; count++) {
        const sent = sending.send(next(count));
        open.add(sent);
        void sent.finally(() => open.delete(sent));
      }
      await sleep(5);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await running;
      await Promise.all(open);
      return sending.end();
    },
  };
}

function openSending(url: string, maxSockets: number) {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const answers: SignInAnswers = { statuses: {}, withoutRetryAfter: 0 };
  return {
    send({ email, password, address }: Credentials): Promise<void> {
      const body = new URLSearchParams({ email, password }).toString();
      const headers = {
        origin: url,
        "x-forwarded-for": address,
        "content-type": "application/x-www-form-urlencoded",
        "content-length": Buffer.byteLength(body),
      };
      return new Promise((resolve, reject) => {
        const sent = request(`${url}/sign-in`, { method: "POST", agent, headers }, (answer) => {
          const status = answer.statusCode ?? 0;
          answers.statuses[status] = (answers.statuses[status] ?? 0) + 1;
          if (status === 429 && !answer.headers["retry-after"]) answers.withoutRetryAfter += 1;
          answer.resume().on("end", resolve).on("error", reject);
        });
        sent.on("error", reject).end(body);
      });
    },
    end(): SignInAnswers {
      agent.destroy();
      return answers;
    },
  };
}
