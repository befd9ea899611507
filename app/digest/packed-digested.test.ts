import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { encodeJournalEntry } from "../journal/journal-entry.ts";
import { digestRecord, emptyDigested } from "./digest-records.ts";
import type { Digested } from "./digested.ts";
import { packDigested, unpackDigested } from "./packed-digested.ts";

const FIXTURES = new URL("../../tests/fixtures/events/", import.meta.url);

function toRecord(sequence: number, items: string) {
  const eventId = sequence.toString(16).padStart(32, "0");
  const body = Buffer.from(`{"event_id":"${eventId}"}\n${items}`);
  const parts = encodeJournalEntry({
    kind: "envelope",
    projectId: 1,
    keyId: 1,
    receivedAt: 1_790_000_000_000,
    eventId,
    clientAddress: "127.0.0.1",
    userAgent: null,
    client: null,
    dropped: [{ projectId: 1, receivedAt: 5, category: "error", outcome: "filtered", reason: "x", quantity: 2 }],
    body,
  });
  return { sequence, bytes: Buffer.concat(parts) };
}

function digestEverything(): Digested {
  const digested = emptyDigested();
  let sequence = 0;
  for (const name of readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".json")) continue;
    const event = JSON.stringify(JSON.parse(readFileSync(new URL(name, FIXTURES), "utf8")));
    digestRecord(toRecord(sequence++, `{"type":"event"}\n${event}\n`), digested);
  }
  const odd = JSON.stringify({
    message: "\ud800 \u0000 𝒳",
    extra: { n: -0, big: 1e308, deep: [[[]]] },
    tags: { a: "" },
  });
  digestRecord(toRecord(sequence++, `{"type":"event"}\n${odd}\n`), digested);
  digestRecord(toRecord(sequence++, `{"type":"log","item_count":1}\n{"items":[{"body":"x"}]}\n`), digested);
  digestRecord(toRecord(sequence++, `{"type":"attachment","length":3}\n\u0000\u0001\u0002\n`), digested);
  digestRecord(toRecord(sequence++, `{"type":"event"}\n[1]\n`), digested);
  digestRecord({ sequence, bytes: Buffer.from([9, 9]) }, digested);
  return digested;
}

/** With bytes as text, so that a Buffer and a plain array of the same bytes are equal. */
function withTexts({ events, items, setAside, ...rest }: Digested) {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  return {
    ...rest,
    events: events.map((event) => ({ ...event, payload: text(event.payload) })),
    items: items.map((item) => ({ ...item, payload: text(item.payload) })),
    setAside: setAside.map((entry) => ({ ...entry, bytes: text(entry.bytes) })),
  };
}

test("facts are the same on the other side", () => {
  const digested = digestEverything();
  expect(digested.events.length).toBeGreaterThan(15);
  expect(digested.items).toHaveLength(2);
  expect(digested.setAside).toHaveLength(1);
  const unpacked = unpackDigested(structuredClone(packDigested(digested)));
  expect(withTexts(unpacked)).toStrictEqual(withTexts(digested));
});
