import { expect, test } from "vitest";
import { log } from "../event-store-contract/span-fixture.ts";
import { readLineId, toLineId } from "./line-id.ts";

test("an id is that of the row alone, and says where it is", () => {
  const row = log(70_000, { occurredUs: 1_747_742_400_000_123, body: "Straße 🙂" });
  // Links hold it: it must never change.
  expect(toLineId(row)).toBe("06358ffce9307b011170d622a191a727");
  expect(readLineId(toLineId(row))).toEqual({ occurredUs: 1_747_742_400_000_123, sequenceBits: 70_000 });
  expect(readLineId(toLineId(log(2 ** 24 + 5, { occurredUs: -3 })))).toEqual({ occurredUs: -3, sequenceBits: 5 });
});

test("what differs in a line gives another id", () => {
  const rows = [
    log(1),
    log(1, { body: "line" }),
    log(1, { service: "" }),
    log(1, { logger: "" }),
    log(1, { service: "a" }),
    log(1, { service: "b" }),
    log(1, { tieBreaker: 0 }),
    log(1, { attributes: "{}" }),
    log(1, { receivedAt: 1 }),
  ];
  expect(new Set(rows.map(toLineId)).size).toBe(rows.length);
});

test.each(["", "18.4", "0".repeat(31), "G".repeat(32), "A".repeat(32)])("%j is no id", (text) => {
  expect(readLineId(text)).toBeNull();
});
