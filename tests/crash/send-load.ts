import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../bench/random.ts";
import { type MadeEnvelope, makeEnvelope } from "./made-envelope.ts";
import type { Answers, Refusal, SentBook } from "./sent-book.ts";

export interface Load {
  /** Waits for the answers that still come, and for the failure of the others. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  url: string;
  dsn: string;
  book: SentBook;
  random: Random;
  senderCount: number;
  /** Between two envelopes of a sender, at most. */
  pauseMs: number;
  /** Envelopes of earlier loads, for senders that try again what was not answered, or what was. */
  past: MadeEnvelope[];
}

const MAX_PAST = 400;
/** An SDK would wait longer; a test has less time. */
const PAUSE_AFTER_REFUSAL_MS = 50;
const ANSWER_TIMEOUT_MS = 20_000;

/** Several senders at once, each on a connection of its own, until told to stop or until nobody listens. */
export function startLoad(options: LoadOptions): Load {
  const { random, senderCount, pauseMs, past, book } = options;
  let isStopping = false;

  async function runSender(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 2 });
    while (!isStopping) {
      const isRepeated = past.length > 0 && random.whole(8) === 0;
      const envelope = isRepeated ? random.pick(past) : makeEnvelope(random, book);
      // Of logs and client reports the second would not be recognised.
      const mayComeTwice = envelope.items.every(({ type }) => type === "transaction");
      // Now and then twice at the same time, as a sender with an impatient proxy before it does.
      const copies = mayComeTwice && random.whole(20) === 0 ? 2 : 1;
      const answers = await Promise.all(Array.from({ length: copies }, () => sendOnce(envelope, agent, options)));
      if (!isRepeated && mayComeTwice) remember(past, envelope, random);
      if (answers.includes(null)) break;
      if (answers.some((answer) => answer?.status !== 200)) await sleep(PAUSE_AFTER_REFUSAL_MS);
      if (pauseMs > 0) await sleep(random.whole(pauseMs));
    }
    agent.destroy();
  }

  const senders = Promise.all(Array.from({ length: senderCount }, runSender));
  return {
    async stop() {
      isStopping = true;
      await senders;
    },
  };
}

function remember(past: MadeEnvelope[], envelope: MadeEnvelope, random: Random): void {
  if (past.length < MAX_PAST) past.push(envelope);
  else past[random.whole(MAX_PAST)] = envelope;
}

/** Null when no answer came. Enters what came into the book. */
async function sendOnce(envelope: MadeEnvelope, agent: Agent, { url, dsn, book }: LoadOptions): Promise<Answer | null> {
  const answer = await post(envelope, agent, { url, dsn });
  const { event, items } = envelope;
  const entries: Answers[] = event ? [event, ...items] : items;
  for (const entry of entries) {
    if (answer === null) entry.unansweredCount++;
    else if (answer.status === 200) entry.answeredCount++;
  }
  if (answer !== null && answer.status !== 200) book.refusals.push(answer);
  return answer;
}

type Answer = Refusal;

function post(
  { body, isGzip }: MadeEnvelope,
  agent: Agent,
  { url, dsn }: { url: string; dsn: string },
): Promise<Answer | null> {
  const { username, pathname } = new URL(dsn);
  return new Promise((done) => {
    const req = request(
      `${url}/api${pathname}/envelope/`,
      {
        method: "POST",
        agent,
        timeout: ANSWER_TIMEOUT_MS,
        headers: {
          "x-sentry-auth": `Sentry sentry_version=7, sentry_client=crash/1.0, sentry_key=${username}`,
          "content-type": "application/x-sentry-envelope",
          "content-length": body.length,
          ...(isGzip ? { "content-encoding": "gzip" } : {}),
        },
      },
      (res) => {
        // The head is the answer, whether or not the rest of it arrives.
        done({
          status: res.statusCode ?? 0,
          retryAfter: res.headers["retry-after"] ?? null,
          rateLimits: String(res.headers["x-sentry-rate-limits"] ?? "") || null,
        });
        res.resume();
        res.on("error", () => {});
      },
    );
    req.on("error", () => done(null));
    req.on("timeout", () => req.destroy());
    req.end(body);
  });
}
