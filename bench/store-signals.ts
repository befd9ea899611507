import { DAY_MS } from "../app/domain/time.ts";
import { sendEnvelope, toEventEnvelope } from "../tests/support/api.ts";
import type { TestServer } from "../tests/support/start-server.ts";
import { formatNumber } from "./figure.ts";
import { makeLargeTrace } from "./make-large-trace.ts";
import { makeLogEnvelope } from "./make-log-lines.ts";
import { makeSpanEnvelope } from "./make-spans.ts";
import { sleep } from "./measurement.ts";
import { createRandom } from "./random.ts";
import { readMetrics } from "./server-metrics.ts";

const SPREAD_DAYS = 14;
const LINES_PER_ENVELOPE = 100;
const SENT_AT_ONCE = 32;
/** So that the server's backlog stays far below what it would refuse. */
const MAX_BACKLOG = 5_000;
/** Of a failed request, what its trace holds. */
const TRACE_SPANS = 1_000;
const TRACE_LINES = 100;

/** Sends spans and as many log lines of the last fourteen days, oldest first, until all of them are stored. */
export async function storeSignals(server: TestServer, count: number, say: (text: string) => void): Promise<void> {
  const random = createRandom(5);
  const now = Date.now() / 1000;
  const toAt = (share: number) => now - (1 - share) * ((SPREAD_DAYS * DAY_MS) / 1000) - 60;
  let [spans, lines, rounds] = [0, 0, 0];
  while (spans < count) {
    const sending: Array<Promise<void>> = [];
    for (let each = 0; each < SENT_AT_ONCE && spans < count; each++) {
      const form = random.whole(2) === 0 ? "transaction" : "container";
      const envelope = makeSpanEnvelope(random, form, toAt(spans / count));
      spans += envelope.spans;
      sending.push(send(server, envelope.body));
    }
    for (; lines < spans; lines += LINES_PER_ENVELOPE)
      sending.push(send(server, makeLogEnvelope(random, { count: LINES_PER_ENVELOPE, at: toAt(lines / count) })));
    await Promise.all(sending);
    if (rounds++ % 20 > 0) continue;
    say(`storing spans and log lines: ${formatNumber(spans)} of ${formatNumber(count)} each`);
    while ((await readBacklog(server)) > MAX_BACKLOG) await sleep(100);
  }
  while ((await readBacklog(server)) > 0) await sleep(100);
}

/** A failed request in the middle of a trace of a thousand spans and a hundred log lines, as its timeline is read. */
export interface FailedRequest {
  traceId: string;
  eventId: string;
}

export async function storeFailedRequests(server: TestServer, count: number): Promise<FailedRequest[]> {
  const random = createRandom(Date.now() % 1_000_000);
  const requests: FailedRequest[] = [];
  for (let each = 0; each < count; each++) {
    const traceId = random.hex(32);
    const at = Date.now() / 1000 - 60;
    for (const body of makeLargeTrace(random, { traceId, count: TRACE_SPANS, at })) await send(server, body);
    await send(server, makeLogEnvelope(random, { count: TRACE_LINES, at, traceId }));
    const { envelope, eventId } = toEventEnvelope({
      timestamp: at + 0.4,
      exception: { values: [{ type: "TimeoutError", value: "the price did not come" }] },
      breadcrumbs: {
        values: Array.from({ length: 50 }, (_, index) => ({ timestamp: at + index / 200, message: "step" })),
      },
      contexts: { trace: { trace_id: traceId, span_id: random.hex(16) } },
    });
    await send(server, envelope);
    requests.push({ traceId, eventId });
  }
  while ((await readBacklog(server)) > 0) await sleep(100);
  return requests;
}

/** Spans, log lines and errors that come in meanwhile, so many items a second, a tenth of them errors. Ends with `stop`. */
export function sendSignals(server: TestServer, rate: number): { stop(): Promise<number> } {
  const random = createRandom(9);
  let isOver = false;
  let sent = 0;
  const sending = (async () => {
    const began = performance.now();
    while (!isOver) {
      const wanted = ((performance.now() - began) / 1000) * rate;
      const at = Date.now() / 1000;
      const kind = random.whole(3);
      if (sent > wanted) await sleep(5);
      else if (kind === 0) {
        const { body, spans } = makeSpanEnvelope(random, "container", at);
        await send(server, body);
        sent += spans;
      } else if (kind === 1) {
        await send(server, makeLogEnvelope(random, { count: 30, at }));
        sent += 30;
      } else {
        const errors = Array.from({ length: 6 }, (_, index) =>
          send(server, toEventEnvelope({ message: `failed ${index}`, tags: { region: "eu-west" } }).envelope),
        );
        await Promise.all(errors);
        sent += errors.length;
      }
    }
  })();
  return {
    async stop() {
      isOver = true;
      await sending;
      return sent;
    },
  };
}

async function send(server: TestServer, body: string | Uint8Array): Promise<void> {
  const answer = await sendEnvelope(server, body);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the server answered ${answer.status} to what was sent`);
}

async function readBacklog(server: TestServer): Promise<number> {
  return (await readMetrics(server)).sum("culprit_journal_backlog_records");
}
