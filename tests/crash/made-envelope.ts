import { gzipSync } from "node:zlib";
import type { Random } from "../../bench/random.ts";
import type { SentBook, SentEvent, SentItem } from "./sent-book.ts";

/** An envelope ready to be sent, perhaps more than once, with what it says. */
export interface MadeEnvelope {
  body: Uint8Array;
  isGzip: boolean;
  event: SentEvent | null;
  items: SentItem[];
}

const ISSUE_COUNT = 7;
const FILLER = "The quick brown fox jumps over the lazy dog while the five boxing wizards look on. ";

/** Makes an envelope of a random kind, and enters it into the book as not answered yet. */
export function makeEnvelope(random: Random, book: SentBook): MadeEnvelope {
  // Those from 10 on have bulk alone, which goes to a journal of its own.
  const kind = random.whole(13);
  const eventId = random.hex(32);
  const lines: Array<string | Uint8Array> = [JSON.stringify({ event_id: eventId, sent_at: new Date().toISOString() })];
  const made: MadeEnvelope = { body: new Uint8Array(), isGzip: random.whole(2) === 0, event: null, items: [] };
  const addItem = (
    key: string,
    item: Omit<SentItem, "answeredCount" | "unansweredCount">,
    header: object,
    payload: object,
  ) => {
    const sent: SentItem = { ...item, answeredCount: 0, unansweredCount: 0 };
    book.items.set(key, sent);
    made.items.push(sent);
    lines.push(JSON.stringify(header), JSON.stringify(payload));
  };

  if (kind < 8) {
    const issue = random.whole(ISSUE_COUNT);
    made.event = {
      eventId,
      title: `CrashError${issue}: event ${eventId}`,
      hasAttachment: kind === 7,
      answeredCount: 0,
      unansweredCount: 0,
    };
    book.events.set(eventId, made.event);
    lines.push('{"type":"event"}', JSON.stringify(toEvent(eventId, issue, random)));
    if (made.event.hasAttachment) {
      const bytes = Buffer.from(random.hex(500 + random.whole(5000)));
      lines.push(JSON.stringify({ type: "attachment", length: bytes.length, filename: `${eventId}.txt` }), bytes);
    }
  }
  if (kind === 8 || kind === 10 || kind === 11) {
    const payload = toTransaction(eventId, random);
    const sent = { type: "transaction", quantity: 1, spans: 1 + payload.spans.length } as const;
    addItem(`transaction ${eventId}`, sent, { type: "transaction" }, payload);
  }
  if (kind === 6 || kind === 9) {
    const sessionRelease = `session-${random.hex(12)}`;
    const session = {
      sid: random.hex(32),
      init: true,
      started: new Date().toISOString(),
      status: "ok",
      attrs: { release: sessionRelease },
    };
    addItem(`session ${sessionRelease}`, { type: "session", quantity: 1 }, { type: "session" }, session);
    const quantity = 1 + random.whole(5);
    const report = { discarded_events: [{ reason: "before_send", category: "error", quantity }] };
    addItem(`client_report ${eventId}`, { type: "client_report", quantity }, { type: "client_report" }, report);
  }
  if (kind === 6 || kind === 9 || kind === 12) {
    const traceId = random.hex(32);
    const count = 1 + random.whole(20);
    const logs = Array.from({ length: count }, (_, at) => ({
      timestamp: Date.now() / 1000,
      trace_id: traceId,
      level: "info",
      body: `line ${at} of the log`,
    }));
    const header = { type: "log", item_count: count, content_type: "application/vnd.sentry.items.log+json" };
    addItem(`log ${traceId}`, { type: "log", quantity: count }, header, { items: logs });
  }
  const plain = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from("\n")]));
  made.body = made.isGzip ? gzipSync(plain, { level: 1 }) : plain;
  return made;
}

function toEvent(eventId: string, issue: number, random: Random): object {
  // Mostly of the usual size, now and then one that takes the digest a while.
  const fillerBytes = random.whole(60) === 0 ? 300_000 : 200 + random.whole(12_000);
  return {
    event_id: eventId,
    timestamp: Date.now() / 1000,
    platform: "node",
    level: "error",
    user: { id: String(random.whole(50)) },
    tags: { round: random.hex(2) },
    exception: {
      values: [
        {
          type: `CrashError${issue}`,
          value: `event ${eventId}`,
          stacktrace: {
            frames: [
              { function: "main", filename: "app.js", lineno: 1, in_app: true },
              { function: `fail${issue}`, filename: "fail.js", lineno: issue + 1, in_app: true },
            ],
          },
        },
      ],
    },
    extra: { marker: `marker of ${eventId}` },
    breadcrumbs: toBreadcrumbs(fillerBytes),
  };
}

function toBreadcrumbs(bytes: number): object {
  const each = FILLER.repeat(3);
  const values = Array.from({ length: Math.ceil(bytes / each.length) }, (_, at) => ({ message: `${at} ${each}` }));
  return { values };
}

function toTransaction(eventId: string, random: Random) {
  const trace = { trace_id: random.hex(32), span_id: random.hex(16), op: "http.server" };
  const now = Date.now() / 1000;
  return {
    type: "transaction",
    event_id: eventId,
    transaction: "GET /cart",
    start_timestamp: now - 0.2,
    timestamp: now,
    platform: "node",
    contexts: { trace },
    spans: Array.from({ length: random.whole(20) }, () => ({
      ...trace,
      span_id: random.hex(16),
      parent_span_id: trace.span_id,
      start_timestamp: now - 0.1,
      timestamp: now,
      description: FILLER,
    })),
  };
}
