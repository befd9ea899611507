import { DAY_MS } from "../../app/domain/time.ts";
import type { Log } from "../../app/log.server.ts";
import { JOURNAL } from "../../app/stores/event-store-contract/fixture.ts";
import { log, span, spanId, toSpanBatch } from "../../app/stores/event-store-contract/span-fixture.ts";
import { encodeLoggedRows } from "../../app/stores/events/row-log.ts";
import { openRebuildFolder } from "./rebuild-folder.ts";

export const FIRST_DAY = 20_593;
export const RECORDS_OF_DAY = 13;
export const RECORDS = 4 * RECORDS_OF_DAY;
/** Of each record, and half as many logs. */
export const SPANS_OF_RECORD = 60;
/** Of a day that goes on: two files of spans and one of logs, and a rest. */
export const ROWS_OF_SLICE = 5 * SPANS_OF_RECORD;

/** Stores of a folder of which any day may be moved. */
export async function openMovingFolder(dir: string, { rowsOfSlice = Number.POSITIVE_INFINITY } = {}) {
  const stores = await openRebuildFolder(dir, {
    logLimits: { bytes: 200_000, events: 20_000 },
    rowsOfMovedDay: 1,
    rowsOfSlice,
    rowsSummedAtOnce: 1_000,
    maxFileBytes: 20_000,
  });
  return { ...stores, journalId: JOURNAL };
}

type MovingFolder = Awaited<ReturnType<typeof openMovingFolder>>;

/** Two records: files first, then the store, as the digest does. Some texts are too long for their row, and some batches reach into the next day. */
export async function appendBatch({ payloads, events }: MovingFolder, from: number): Promise<void> {
  const sequences = [from, from + 1];
  const spans = sequences.flatMap((sequence) =>
    Array.from({ length: SPANS_OF_RECORD }, (_, at) => {
      const receivedAt = receivedAtOf(sequence);
      return span(sequence, {
        spanId: spanId(sequence * SPANS_OF_RECORD + at + 1),
        receivedAt,
        startedUs: receivedAt * 1000 + at,
        attributes: at === 0 ? JSON.stringify({ note: `${sequence} `.repeat(2_000) }) : `{"n":${at}}`,
      });
    }),
  );
  const logs = sequences.flatMap((sequence) =>
    Array.from({ length: SPANS_OF_RECORD / 2 }, (_, at) => {
      const receivedAt = receivedAtOf(sequence);
      return log(sequence, { receivedAt, occurredUs: receivedAt * 1000 + at, body: `line ${sequence} ${at}` });
    }),
  );
  // As the digest does: a rebuild may have brought the spans from the row log, where the files of logs were not written any more.
  const { signals: ahead } = await events.appliedAhead(JOURNAL);
  const isAhead = from < (ahead.spans ?? 0);
  const receivedAt = receivedAtOf(from);
  for (const [signal, batch] of [
    ["spans", toSpanBatch(spans)],
    ["logs", toSpanBatch([], logs)],
  ] as const) {
    if (signal === "spans" && isAhead) continue;
    const entry = encodeLoggedRows({ ...batch, from, batch: { from, signals: ["spans", "logs"] } }, () => null);
    await payloads.append([], { receivedAt, signal, entry: Promise.resolve(entry) });
  }
  await events.append(toSpanBatch(isAhead ? [] : spans, logs));
}

function receivedAtOf(sequence: number): number {
  return (FIRST_DAY + Math.floor(sequence / RECORDS_OF_DAY)) * DAY_MS + (sequence % RECORDS_OF_DAY) * 1_000;
}

export const SILENT: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => SILENT,
};
