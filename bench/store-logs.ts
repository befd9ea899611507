import { join } from "node:path";
import { toLogSeverity } from "../app/domain/logs/log-severity.ts";
import { openDuckdbEventStore } from "../app/stores/duckdb/open-duckdb-event-store.ts";
import type { EventStore } from "../app/stores/events/event-store.ts";
import { LOG_ROWS } from "../app/stores/events/log-table.ts";
import type { LogRow } from "../app/stores/events/logs.ts";
import { toNewRow, toRowsByTable } from "../app/stores/events/rows.ts";
import { createRandom, type Random } from "./random.ts";

// Log lines of six services, with four attributes each, evenly spread over a time.

const SERVICES = ["web", "api", "cart", "payment", "search", "mail"];
const WORDS = ["cart", "order", "timeout", "refused", "loaded", "retry", "pool", "connection", "statement", "user"];
/** 5, 9, 13 and 17 are debug, info, warning and error. */
const SEVERITIES = [5, 5, 9, 9, 9, 9, 9, 13, 13, 17];
const BATCH_LINES = 20_000;

export interface LineTimes {
  lineCount: number;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
}

export async function storeLogs(dir: string, { lineCount, from, to }: LineTimes): Promise<EventStore> {
  const events = await openDuckdbEventStore({
    path: join(dir, "events.duckdb"),
    tempDir: join(dir, "temp"),
    memoryLimitMb: 256,
    threads: 2,
  });
  const random = createRandom(11);
  for (let sequence = 0; sequence < lineCount; sequence += BATCH_LINES) {
    const items = Array.from({ length: Math.min(BATCH_LINES, lineCount - sequence) }, (_, index) => {
      const at = from + ((sequence + index) / lineCount) * (to - from);
      return { rows: [toNewRow(LOG_ROWS, makeLine(random, sequence + index, Math.floor(at)))] };
    });
    const upTo = sequence + items.length;
    await events.append({
      journalId: "0".repeat(16),
      upTo,
      rows: toRowsByTable(items),
      leftOut: [],
      environments: [],
    });
  }
  return events;
}

function makeLine(random: Random, sequence: number, at: number): LogRow {
  const service = random.pick(SERVICES);
  const severity = random.pick(SEVERITIES);
  const attributes = {
    plan: random.pick(["free", "pro"]),
    "http.route": `/${random.pick(WORDS)}/:id`,
    "db.timeout_ms": random.whole(5_000),
    // One line in a hundred thousand.
    ...(random.whole(100_000) === 0 && { rare: "yes" }),
  };
  return {
    sequence,
    projectId: 1,
    receivedAt: at,
    traceId: random.hex(32),
    spanId: random.hex(16),
    occurredUs: at * 1000 + random.whole(1_000),
    shiftUs: null,
    tieBreaker: null,
    level: toLogSeverity(severity),
    severity,
    body: `${random.pick(WORDS)} ${random.pick(WORDS)} ${random.whole(100_000)} after ${random.whole(5_000)} ms`,
    template: null,
    origin: null,
    logger: `${service}.app`,
    release: `${service}@1.4.${random.whole(3)}`,
    environment: "production",
    service,
    serverAddress: `${service}-${random.whole(4)}`,
    userId: null,
    replayId: null,
    sdkName: "sentry.javascript.node",
    sdkVersion: "10.75.2",
    attributes: JSON.stringify(attributes),
    rest: null,
    resource: null,
  };
}
