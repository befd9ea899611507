import { event, eventId, item, NOON, toRowBatch } from "../../app/stores/event-store-contract/fixture.ts";
import { log, span, spanId } from "../../app/stores/event-store-contract/span-fixture.ts";
import type { EventStore } from "../../app/stores/events/event-store.ts";
import { encodeLoggedRows } from "../../app/stores/events/row-log.ts";
import { fillColumn, type RowsByTable } from "../../app/stores/events/rows.ts";
import type { PayloadStore } from "../../app/stores/payload-store.ts";

export const JOURNAL = "rebuilt";

interface Stores {
  events: Pick<EventStore, "append" | "appliedSequence" | "findExisting">;
  payloads: Pick<PayloadStore, "append">;
}

/** Many events at the same instant, also those that come later: their order is that of their arrival. */
const instantOf = (sequence: number) => NOON + Math.floor((sequence % EVENTS) / 50);

/** From here on, every tenth event has the id of one that came before. */
export const EVENTS = Number(process.env.REBUILD_EVENTS ?? 10_000);

function idOf(sequence: number): string {
  return eventId(sequence >= EVENTS && sequence % 10 === 5 ? (sequence * 7_919) % EVENTS : sequence);
}

export function makeEvent(sequence: number) {
  return event(sequence, {
    eventId: idOf(sequence),
    at: instantOf(sequence),
    issueId: 1 + (sequence % 97),
    title: sequence % 1_009 === 0 ? `holds \x1f and \x1c, ${sequence}` : `Error ${sequence % 97}`,
    userKey: sequence % 3 === 0 ? null : `id:${sequence % 1_000}`,
    environment: sequence % 2 === 0 ? "production" : null,
    release: `shop@1.${sequence % 7}`,
    traceId: eventId(sequence * 31),
    tags: [
      ["browser.name", sequence % 2 === 0 ? "Firefox" : "Chrome"],
      ["plan", `${sequence % 5}`],
    ],
  });
}

/** Three of each tenth sequence: one transaction, its root first. */
function makeSpans(sequence: number) {
  return [0, 1, 2].map((place) =>
    span(sequence, {
      receivedAt: instantOf(sequence),
      startedUs: instantOf(sequence) * 1000 + place,
      category: "transaction",
      form: place === 0 ? "root" : "v1",
      traceId: eventId(sequence * 31),
      spanId: spanId(sequence * 3 + place + 1),
      parentSpanId: place === 0 ? null : spanId(sequence * 3 + 1),
      isSegment: place === 0,
      environment: sequence % 2 === 0 ? "production" : null,
      attributes: place === 1 ? JSON.stringify({ "holds \x1f and \x1c": sequence }) : null,
    }),
  );
}

function makeLogs(sequence: number) {
  return [0, 1].map((place) =>
    log(sequence, {
      receivedAt: instantOf(sequence),
      occurredUs: instantOf(sequence) * 1000,
      tieBreaker: place,
      body: `line ${place} of ${sequence}, with \x1f and \n`,
      level: sequence % 3 === 0 ? "warn" : "info",
    }),
  );
}

/** The identity of a sequence's attachment. */
function itemIdentity(sequence: number): string {
  return eventId(2 ** 40 + sequence);
}

/**
 * Writes the records from `from` up to `upTo` as a commit does: payloads with an entry for each signal, in files of its own, then rows. Every
 * 40th sequence has an attachment.
 *
 * @param isCutOff the files have the records twice, because a crash came before the rows
 */
export async function commitRecords(
  { events, payloads }: Stores,
  { from, upTo, isCutOff = false }: { from: number; upTo: number; isCutOff?: boolean },
): Promise<void> {
  const sequences = Array.from({ length: upTo - from }, (_, index) => from + index);
  const batch = toRowBatch({
    journalId: JOURNAL,
    upTo,
    events: sequences.map(makeEvent),
    items: sequences
      .filter((sequence) => sequence % 40 === 0)
      .map((sequence) =>
        item(sequence, { at: instantOf(sequence), identity: sequence % 80 === 0 ? itemIdentity(sequence) : null }),
      ),
    spans: sequences.filter((sequence) => sequence % 10 === 3).flatMap(makeSpans),
    logs: sequences.filter((sequence) => sequence % 10 === 7).flatMap(makeLogs),
  });
  const existing = await events.findExisting(
    sequences.map((sequence) => ({ projectId: 1, identity: makeEvent(sequence).eventId })),
  );
  // The second of each hundred came before.
  const leftOut = sequences.flatMap((sequence, index) =>
    sequence % 100 === 1 || existing.has(`1:${makeEvent(sequence).eventId}`) ? [index] : [],
  );
  const stored = {
    ...batch,
    leftOut,
    environments: [{ projectId: 1, environment: "production", seenAt: instantOf(from) }],
  };
  const bodies = sequences.map((sequence) => Buffer.from(`{"event":${sequence}}`));
  const rowsOf = (table: string) => batch.rows.filter((rows) => rows.table === table);
  const itemRows = rowsOf("items");
  const itemBodies = itemRows.flatMap(({ items }) => Array.from(items, () => Buffer.from("item")));
  const append = async () => {
    const entry = (rows: RowsByTable, firstPlace: number) =>
      Promise.resolve(encodeLoggedRows({ ...stored, rows, from }, (place) => place - firstPlace));
    const receivedAt = instantOf(from);
    const refs = await payloads.append(bodies, { receivedAt, signal: "errors", entry: entry(rowsOf("events"), 0) });
    if (itemRows.length > 0)
      await payloads.append(itemBodies, { receivedAt, signal: "attachments", entry: entry(itemRows, bodies.length) });
    // Rows without a payload.
    for (const signal of ["spans", "logs"] as const)
      if (rowsOf(signal).length > 0) await payloads.append([], { receivedAt, signal, entry: entry(rowsOf(signal), 0) });
    return refs;
  };
  if (isCutOff) await append();
  const refs = await append();
  for (const rows of rowsOf("events")) {
    fillColumn(rows, "payload_file", (place) => refs[place]?.fileId ?? 0);
    fillColumn(rows, "payload_offset", (place) => refs[place]?.offset ?? 0);
    fillColumn(rows, "payload_index", (place) => refs[place]?.index ?? 0);
  }
  await events.append(stored);
}

/**
 * Records that come while a rebuild runs, as the digest takes them: from where the event store is. Every tenth is an event that has come long
 * before, under the same id.
 */
export async function digestRecords(
  stores: Stores,
  { upTo, onBatch }: { upTo: number; onBatch?: (upTo: number) => void },
): Promise<void> {
  for (;;) {
    const from = await stores.events.appliedSequence(JOURNAL);
    if (from >= upTo) return;
    const to = Math.min(upTo, from + 1 + (from % 97));
    await commitRecords(stores, { from, upTo: to });
    onBatch?.(to);
  }
}
