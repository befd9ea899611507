import { expect, test } from "vitest";
import { openEventPayloads, type PayloadDamage } from "./event-payloads.ts";
import { DamagedPayloadError, type PayloadStore } from "./payload-store.ts";

const REF = { fileId: 1, offset: 2, index: 3 };

function open(read: () => Promise<Uint8Array | null>) {
  const damages: PayloadDamage[] = [];
  return {
    payloads: openEventPayloads({ read } as unknown as PayloadStore, (damage) => damages.push(damage)),
    damages,
  };
}

const bytes = (text: string) => new TextEncoder().encode(text);

test("gives the event of a payload, and null for one that is gone", async () => {
  const stored = { event: { event_id: "a" }, grouping: null };
  expect(await open(async () => bytes(JSON.stringify(stored))).payloads.readEvent(REF)).toEqual(stored);
  expect(await open(async () => null).payloads.readEvent(REF)).toBeNull();
  // A deletion leaves an empty payload.
  expect(await open(async () => bytes("")).payloads.readEvent(REF)).toBeNull();
});

test.each(["{", "[]", "null", "7", '{"event":[]}', '{"event":null}', "\xff"])("%j is no event", async (text) => {
  const { payloads, damages } = open(async () => bytes(text));
  await expect(payloads.readEvent(REF)).rejects.toThrow(DamagedPayloadError);
  expect(damages).toEqual([{ ref: REF, isWholeBlock: false }]);
  // Bytes are bytes.
  expect(await payloads.read(REF)).toEqual(bytes(text));
});

test("each read of a damaged file says so, and another failure does not count as damage", async () => {
  const damaged = open(() => Promise.reject(new DamagedPayloadError("its file ends before it does")));
  await expect(damaged.payloads.read(REF)).rejects.toThrow("its file ends");
  await expect(damaged.payloads.readEvent(REF)).rejects.toThrow("its file ends");
  expect(damaged.damages).toEqual(Array(2).fill({ ref: REF, isWholeBlock: true }));
  const failed = open(() => Promise.reject(new Error("EIO")));
  await expect(failed.payloads.readEvent(REF)).rejects.toThrow("EIO");
  expect(failed.damages).toEqual([]);
});
