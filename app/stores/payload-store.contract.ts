import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { toCutoffs } from "../domain/stored-signal.ts";
import { DAY_MS } from "../domain/time.ts";
import type { PayloadLogPart, PayloadRef, PayloadStore } from "./payload-store.ts";

/** An empty place for payloads of some engine; disposing closes what is open and deletes it. */
export interface PayloadFolder extends AsyncDisposable {
  /** The same data each time; several may be open at once. */
  open(): Promise<PayloadStore>;
}

const NOON = Date.UTC(2026, 4, 20, 12);
const NOON_DAY = Math.floor(NOON / DAY_MS);
const at = { receivedAt: NOON, signal: "errors" as const };

/** The contract of every engine of `PayloadStore`. Each case asks for an empty place of its own. */
export function describePayloadStore(engine: string, createFolder: () => Promise<PayloadFolder>): void {
  describe(`PayloadStore on ${engine}`, () => {
    test("gives each payload back under its reference, in the order of the call", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const payloads = Array.from({ length: 50 }, (_, index) =>
        text(`{"event": ${index}, "text": "${"ä".repeat(index)}"}`),
      );
      const refs = await store.append(payloads, at);
      expect(refs).toHaveLength(50);
      expect(new Set(refs.map((ref) => `${ref.fileId}:${ref.offset}:${ref.index}`)).size).toBe(50);
      expect(await readAll(store, refs)).toEqual(payloads);
    });

    test("appends nothing for no payloads", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      expect(await store.append([], at)).toEqual([]);
      expect(await store.bytesOnDisk()).toBe(0);
    });

    test("keeps empty payloads, and bytes that are no text", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const payloads = [new Uint8Array(0), Uint8Array.of(0), Uint8Array.of(255, 0, 128), new Uint8Array(0)];
      expect(await readAll(store, await store.append(payloads, at))).toEqual(payloads);
    });

    test("keeps payloads of every size around the size of a block", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const sizes = [1_048_575, 1_048_576, 1_048_577, 100, 2_097_152, 2_097_153, 1, 524_288];
      const payloads = sizes.map((size) => text("abcdefgh".repeat(size / 8 + 1).slice(0, size)));
      for (const _ of ["first", "again"]) {
        const stored = await readAll(store, await store.append(payloads, at));
        expect(stored.map((payload) => payload?.length)).toEqual(sizes);
        expect(areSame(stored, payloads)).toBe(true);
      }
    });

    test("keeps what cannot be compressed in little more than its size", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const payloads = [randomBytes(3_000_000), randomBytes(400_000)];
      expect(areSame(await readAll(store, await store.append(payloads, at)), payloads)).toBe(true);
      expect(await store.bytesOnDisk()).toBeLessThan(3_410_000);
    });

    test("keeps many alike in a fraction of their size", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      await store.append(
        Array.from({ length: 1_000 }, (_, index) => eventLike(index)),
        at,
      );
      expect(await store.bytesOnDisk()).toBeLessThan(1_000 * eventLike(1).length * 0.1);
    });

    test("keeps many alike that come one at a time in a fraction of their size, too", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const refs: PayloadRef[] = [];
      for (let index = 0; index < 300; index++) refs.push(...(await store.append([eventLike(index)], at)));
      expect(await store.bytesOnDisk()).toBeLessThan(300 * eventLike(1).length * 0.2);
      expect(await readAll(store, refs)).toEqual(refs.map((_, index) => eventLike(index)));
    });

    test("calls at the same time each get their own references", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const numbers = Array.from({ length: 20 }, (_, index) => index);
      const refs = await Promise.all(
        numbers.map((number) => store.append([eventLike(number), text(`n${number}`)], at)),
      );
      for (const [number, ofCall] of refs.entries()) {
        expect(await readAll(store, ofCall)).toEqual([eventLike(number), text(`n${number}`)]);
      }
    });

    test("a payload is read by another that has the same place open, as soon as the append has resolved", async () => {
      await using folder = await createFolder();
      const writer = await folder.open();
      const reader = await folder.open();
      for (let index = 0; index < 20; index++) {
        const refs = await writer.append([eventLike(index)], at);
        expect(await readAll(reader, refs)).toEqual([eventLike(index)]);
      }
    });

    test("payloads are there after closing and opening again, and new ones do not disturb them", async () => {
      await using folder = await createFolder();
      const first = await folder.open();
      const refs = await first.append([text("one"), text("two")], at);
      await first.close();
      const second = await folder.open();
      const more = await second.append([text("three")], at);
      expect(await readAll(second, [...refs, ...more])).toEqual([text("one"), text("two"), text("three")]);
    });

    test("the ids of files grow with the day", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const [today] = await store.append([text("today")], at);
      const [tomorrow] = await store.append([text("tomorrow")], { receivedAt: NOON + DAY_MS, signal: "errors" });
      const [yesterday] = await store.append([text("yesterday")], { receivedAt: NOON - DAY_MS, signal: "errors" });
      expect(yesterday?.fileId).toBeLessThan(today?.fileId ?? 0);
      expect(today?.fileId).toBeLessThan(tomorrow?.fileId ?? 0);
    });

    test("drops whole days before an instant, and says how many bytes that freed", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const midnight = Date.UTC(2026, 4, 21);
      const old = await store.append([eventLike(1)], { receivedAt: midnight - 1, signal: "errors" });
      const oldBytes = await store.bytesOnDisk();
      const kept = await store.append([eventLike(2)], { receivedAt: midnight, signal: "errors" });
      await readAll(store, old);

      expect(await store.dropBefore(toCutoffs(() => midnight - 1))).toBe(0);
      expect(await readAll(store, old)).toEqual([eventLike(1)]);
      expect(await store.dropBefore(toCutoffs(() => midnight))).toBe(oldBytes);
      expect(await readAll(store, [...old, ...kept])).toEqual([null, eventLike(2)]);
      expect(await store.dropBefore(toCutoffs(() => midnight))).toBe(0);
    });

    test("drops the days of each signal by themselves", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const [error] = await store.append([eventLike(1)], at);
      const [replay] = await store.append([eventLike(2)], { ...at, signal: "replays" });
      const files = await store.listFiles();
      expect(files.map(({ signal, day }) => [signal, day])).toEqual([
        ["errors", NOON_DAY],
        ["replays", NOON_DAY],
      ]);
      const cutoffs = toCutoffs((signal) => (signal === "replays" ? NOON + DAY_MS : 0));
      expect(await store.dropBefore(cutoffs)).toBe(files[1]?.bytes);
      expect(await readAll(store, [error ?? NOWHERE, replay ?? NOWHERE])).toEqual([eventLike(1), null]);
    });

    test("takes late payloads of a day that was dropped, and does not take them for the old ones", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const old = await store.append([text("old")], at);
      await store.dropBefore(toCutoffs(() => NOON + 2 * DAY_MS));
      const late = await store.append([text("late")], at);
      expect(await readAll(store, [...old, ...late])).toEqual([null, text("late")]);
    });

    test("gives null for a file that never was", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      expect(await store.read(NOWHERE)).toBeNull();
    });

    test("what the caller does to bytes that it was given changes nothing", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const [ref = NOWHERE] = await store.append([text("untouched"), text("other")], at);
      (await store.read(ref))?.fill(0);
      expect(await store.read(ref)).toEqual(text("untouched"));
    });

    test("gives back the entry of each append, with the places of its payloads", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const calls = [
        [eventLike(1)],
        [],
        [text("a"), eventLike(2), text("")],
        Array.from({ length: 400 }, (_, index) => eventLike(index)),
        [randomBytes(2_500_000), text("small")],
        [text("small"), randomBytes(2_500_000)],
        [randomBytes(2_500_000)],
      ];
      const refs: PayloadRef[][] = [];
      const entries = calls.map((_, index) => text(`entry ${index} `.repeat(index === 4 ? 300_000 : 50)));
      for (const [index, payloads] of calls.entries()) {
        const entry = Promise.resolve(entries[index] ?? text(""));
        refs.push(await store.append(payloads, { ...at, entry }));
      }
      const [file] = await store.listFiles();
      for (const from of [0, 2]) {
        const offset = from === 0 ? 0 : ((await readLog(store, file?.fileId ?? 0, 0))[from - 1]?.endOffset ?? 0);
        const parts = await readLog(store, file?.fileId ?? 0, offset);
        expect(parts.map(({ kind }) => kind)).toEqual(calls.slice(from).map(() => "entry"));
        for (const [index, part] of parts.entries()) {
          if (part.kind !== "entry") continue;
          expect(areSame([part.bytes], [entries[index + from] ?? text("")])).toBe(true);
          expect(calls[index + from]?.map((_, place) => part.refOf(place))).toEqual(refs[index + from]);
        }
      }
      for (const [index, payloads] of calls.entries()) {
        expect(areSame(await readAll(store, refs[index] ?? []), payloads)).toBe(true);
      }
    });

    test("writes nothing without its entry, and goes on in the same file", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      await store.append([text("before")], { ...at, entry: Promise.resolve(text("first")) });
      const refused = Promise.reject(new Error("no entry"));
      await expect(store.append([eventLike(1)], { ...at, entry: refused })).rejects.toThrow("no entry");
      const many = Array.from({ length: 400 }, (_, index) => eventLike(index));
      await expect(store.append(many, { ...at, entry: Promise.reject(new Error("no entry")) })).rejects.toThrow();
      await store.append([text("after")], { ...at, entry: Promise.resolve(text("second")) });
      const files = await store.listFiles();
      expect(files).toHaveLength(1);
      const parts = await readLog(store, files[0]?.fileId ?? 0, 0);
      expect(parts.map((part) => (part.kind === "entry" ? Buffer.from(part.bytes).toString() : part.kind))).toEqual([
        "first",
        "second",
      ]);
    });

    test("says how many payloads came without an entry", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      await store.append([text("1"), text("2")], at);
      await store.append([text("3")], at);
      await store.append([text("4")], { ...at, entry: Promise.resolve(text("listed")) });
      await store.append([text("5")], at);
      const [file] = await store.listFiles();
      const parts = await readLog(store, file?.fileId ?? 0, 0);
      expect(parts.map((part) => (part.kind === "unlisted" ? part.payloads : part.kind))).toEqual([3, "entry", 1]);
    });

    test("lists its files, the oldest first, and finds nothing in one that is gone", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const [late] = await store.append([text("1")], { receivedAt: NOON + DAY_MS, signal: "errors" });
      const [early] = await store.append([text("2")], at);
      const files = await store.listFiles();
      expect(files.map(({ fileId }) => fileId)).toEqual([early?.fileId, late?.fileId]);
      expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(await store.bytesOnDisk());
      await store.dropBefore(toCutoffs(() => NOON + DAY_MS));
      expect(await store.listFiles()).toHaveLength(1);
      expect(await readLog(store, early?.fileId ?? 0, 0)).toEqual([]);
    });

    test("erases payloads and what entries say of them, and keeps everything else under its references", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const calls = [
        [text("secret 1"), eventLike(1)],
        [],
        Array.from({ length: 400 }, (_, index) => (index % 7 === 0 ? text(`secret ${index}`) : eventLike(index))),
        [Buffer.concat([text("secret "), randomBytes(2_500_000)]), randomBytes(2_500_000), text("small")],
        ...Array.from({ length: 80 }, (_, index) => [eventLike(index), text(`secret single ${index}`)]),
        [eventLike(3)],
      ];
      const refs: PayloadRef[][] = [];
      for (const [index, payloads] of calls.entries()) {
        const entry = Promise.resolve(text(`entry ${index} secret ${"x".repeat(index === 3 ? 3_000_000 : 0)}`));
        refs.push(await store.append(payloads, { ...at, entry }));
      }
      await store.seal();
      const [file] = await store.listFiles();
      const fileId = file?.fileId ?? 0;
      const isSecret = (payload: Uint8Array) => Buffer.from(payload).subarray(0, 6).toString() === "secret";
      const eraseSecrets = (erasedUpTo: number) =>
        store.erase(fileId, async (entry) => {
          const [, number = "", word] = Buffer.from(entry).toString().split(" ");
          const payloads = calls[Number(number)] ?? [];
          if (word !== "secret" || Number(number) >= erasedUpTo || Number(number) === calls.length - 1) return null;
          const places = new Set([...payloads.keys()].filter((place) => isSecret(payloads[place] ?? text(""))));
          return { places, entry: text(`entry ${number} kept`) };
        });
      // Twice: the second time of a file that was written again.
      for (const erasedUpTo of [40, calls.length]) {
        const erased = await eraseSecrets(erasedUpTo);
        expect(erased).toBe(erasedUpTo === 40 ? 1 + 58 + 1 + 36 : 44);
        for (const reader of [store, await folder.open()]) {
          for (const [index, payloads] of calls.entries()) {
            const isDone = index < erasedUpTo;
            const expected = payloads.map((payload) => (isDone && isSecret(payload) ? text("") : payload));
            expect(areSame(await readAll(reader, refs[index] ?? []), expected)).toBe(true);
          }
        }
        const parts = await readLog(store, fileId, 0);
        expect(parts).toHaveLength(calls.length);
        for (const [index, part] of parts.entries()) {
          if (part.kind !== "entry") throw new Error(part.kind);
          const word = index < erasedUpTo && index < calls.length - 1 ? "kept" : "secret";
          expect(Buffer.from(part.bytes).subarray(0, 20).toString().trim()).toBe(`entry ${index} ${word}`);
          expect(calls[index]?.map((_, place) => part.refOf(place))).toEqual(refs[index]);
        }
      }
      expect(await eraseSecrets(calls.length)).toBe(0);
      const [late = NOWHERE] = await store.append([text("late")], at);
      expect(late.fileId).not.toBe(fileId);
      expect(await store.read(late)).toEqual(text("late"));
    });

    test("puts other payloads and entries in the place of some, and keeps everything else under its references", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const calls = [
        [text("long 0"), eventLike(1)],
        Array.from({ length: 300 }, (_, index) => (index % 7 === 0 ? text(`long ${index}`) : eventLike(index))),
        [randomBytes(2_500_000), text("long 2")],
        // Small ones are compressed against those before them.
        ...Array.from({ length: 80 }, (_, index) => [eventLike(index), text(`long single ${index}`)]),
      ];
      const refs: PayloadRef[][] = [];
      for (const [index, payloads] of calls.entries())
        refs.push(await store.append(payloads, { ...at, entry: Promise.resolve(text(`entry ${index}`)) }));
      await store.seal();
      const fileId = refs[0]?.[0]?.fileId ?? 0;
      const isLong = (payload: Uint8Array | null) =>
        Buffer.from(payload ?? [])
          .subarray(0, 4)
          .toString() === "long";
      const toShort = (payload: Uint8Array) => text(`short${Buffer.from(payload).subarray(4)}`);
      const shorten = () =>
        store.rewrite(
          fileId,
          async (entry, refOf) => {
            const [word, index = ""] = Buffer.from(entry).toString().split(" ");
            if (word !== "entry") return null;
            const places = [...(calls[Number(index)] ?? []).keys()];
            // Where the payloads lie is told with the entry.
            const stored = await Promise.all(places.map((place) => store.read(refOf(place))));
            const long = places.filter((place) => isLong(stored[place] ?? null));
            return { places: new Map(long.map((place) => [place, toShort])), entry: text(`changed ${index}`) };
          },
          { reserveBytes: 0 },
        );
      const change = async (entry: Uint8Array) => ({ places: new Map(), entry });
      await expect(store.rewrite(fileId, change, { reserveBytes: 2 ** 60 })).rejects.toThrow(/the disk has \d+ free/);
      expect(await shorten()).toBe(1 + 43 + 1 + 80);
      for (const reader of [store, await folder.open()])
        for (const [index, payloads] of calls.entries()) {
          const expected = payloads.map((payload) => (isLong(payload) ? toShort(payload) : payload));
          expect(areSame(await readAll(reader, refs[index] ?? []), expected)).toBe(true);
        }
      const entries = (await readLog(store, fileId, 0)).map((part) => part.kind === "entry" && Buffer.from(part.bytes));
      expect(entries.map(String)).toEqual(calls.map((_, index) => `changed ${index}`));
      expect(await shorten()).toBe(0);
    });

    test("an erasure that is cut off leaves the file as it was, and is done by the next one", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const [ref = NOWHERE] = await store.append([text("secret")], { ...at, entry: Promise.resolve(text("entry")) });
      await store.seal();
      const decide = async () => ({ places: new Set([0]), entry: text("kept") });
      await expect(store.erase(ref.fileId, decide, { signal: AbortSignal.abort() })).rejects.toThrow();
      expect(await store.read(ref)).toEqual(text("secret"));
      expect(await store.erase(ref.fileId, decide)).toBe(1);
      expect(await store.read(ref)).toEqual(text(""));
    });

    test("can be closed twice, and takes nothing after that", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const [ref = NOWHERE] = await store.append([text("x")], at);
      await store.close();
      await store.close();
      await expect(store.append([text("y")], at)).rejects.toThrow();
      await expect(store.read(ref)).rejects.toThrow();
    });
  });
}

export async function readLog(store: PayloadStore, fileId: number, fromOffset: number): Promise<PayloadLogPart[]> {
  const parts: PayloadLogPart[] = [];
  for await (const part of store.readLog(fileId, fromOffset)) parts.push(part);
  return parts;
}

const NOWHERE: PayloadRef = { fileId: 123_450_000, offset: 32, index: 0 };

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

/** Comparing megabytes with `toEqual` takes seconds. */
function areSame(stored: ReadonlyArray<Uint8Array | null>, payloads: readonly Uint8Array[]): boolean {
  return stored.every((bytes, index) => bytes !== null && Buffer.compare(bytes, payloads[index] ?? text("none")) === 0);
}

async function readAll(store: PayloadStore, refs: readonly PayloadRef[]): Promise<Array<Uint8Array | null>> {
  const payloads: Array<Uint8Array | null> = [];
  for (const ref of refs) payloads.push(await store.read(ref));
  return payloads;
}

/** 4 KB that resemble each other, in which every tenth line differs. */
function eventLike(seed: number): Uint8Array {
  const lines = Array.from({ length: 40 }, (_, line) => {
    const number = (line % 10 === 0 ? seed * 7_919 : 0) + line * 104_729;
    return `{"filename": "/srv/app/module_${number}.py", "function": "handle_${number}", "lineno": ${number % 997}}`;
  });
  return text(lines.join("\n"));
}
