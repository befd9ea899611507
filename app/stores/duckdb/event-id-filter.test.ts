import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import {
  EventIdFilter,
  type EventIdWords,
  parseEventId,
  SEGMENT_FILTER_BYTES,
  SEGMENT_IDS,
} from "./event-id-filter.ts";

function randomId(): EventIdWords {
  return wordsOf(randomBytes(16).toString("hex"));
}

function wordsOf(eventId: string): EventIdWords {
  const words = parseEventId(eventId);
  if (!words) throw new Error(`${eventId} is not an event id`);
  return words;
}

test("takes only 32 lower-case hex characters for an event id", () => {
  expect(parseEventId("00000001000000020000000affffffff")).toEqual([1, 2, 10, 0xffffffff]);
  expect(parseEventId("00000001000000020000000aFFFFFFFF")).toBeNull();
  expect(parseEventId("00000001-0000-0002-0000-000affffffff")).toBeNull();
  expect(parseEventId("")).toBeNull();
  expect(parseEventId("00000001000000020000000affffffff\n")).toBeNull();
});

test("names the segments of an id, newest first", () => {
  const filter = new EventIdFilter();
  const id = randomId();
  filter.add(3, id);
  filter.add(SEGMENT_IDS * 9 + 1, id);
  filter.add(SEGMENT_IDS * 2, id);
  expect(filter.find(id)).toEqual([9, 2, 0]);
  expect(filter.find(randomId())).toEqual([]);
});

test("knows every id of a full segment, and claims hardly any other", () => {
  const filter = new EventIdFilter();
  const ids = Array.from({ length: SEGMENT_IDS }, randomId);
  for (const [ordinal, id] of ids.entries()) filter.add(ordinal, id);
  expect(ids.every((id) => filter.find(id).length === 1)).toBe(true);
  let claimed = 0;
  for (let other = 0; other < 200_000; other++) claimed += filter.find(randomId()).length;
  // One in 130,000 is expected.
  expect(claimed).toBeLessThan(12);
});

test("tells apart ids that count up", () => {
  const filter = new EventIdFilter();
  const id = (number: number) => wordsOf(number.toString(16).padStart(32, "0"));
  for (let number = 0; number < SEGMENT_IDS; number++) filter.add(number, id(number));
  let claimed = 0;
  for (let number = SEGMENT_IDS; number < SEGMENT_IDS + 200_000; number++) claimed += filter.find(id(number)).length;
  expect(claimed).toBeLessThan(12);
});

test("gives the bits of full segments until they are saved, and takes them back", () => {
  const filter = new EventIdFilter();
  const [first, second] = [randomId(), randomId()];
  filter.add(0, first);
  expect(filter.fullUnsaved(SEGMENT_IDS - 1)).toEqual([]);
  filter.add(SEGMENT_IDS, second);
  const full = filter.fullUnsaved(SEGMENT_IDS + 1);
  expect(full.map(({ segment }) => segment)).toEqual([0]);
  filter.markSaved(0);
  expect(filter.fullUnsaved(SEGMENT_IDS + 1)).toEqual([]);

  const loaded = new EventIdFilter();
  loaded.load(5, full[0]?.bits ?? new Uint8Array(0));
  expect(loaded.find(first)).toEqual([5]);
  expect(loaded.find(second)).toEqual([]);
  expect(() => loaded.load(5, new Uint8Array(SEGMENT_FILTER_BYTES - 1))).toThrow(/segment 5/);
});

test("forgets eight segments at a time, and gives their memory back", () => {
  const filter = new EventIdFilter();
  const ids = Array.from({ length: 20 }, randomId);
  for (const [segment, id] of ids.entries()) filter.add(segment * SEGMENT_IDS, id);
  const before = filter.memoryBytes;
  filter.dropBefore(17);
  expect(filter.memoryBytes).toBeLessThan(before / 2);
  expect(filter.find(ids[15] ?? randomId())).toEqual([]);
  expect(filter.find(ids[17] ?? randomId())).toEqual([17]);
});
