import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { readLog } from "../payload-store.contract.ts";
import { DamagedPayloadError, type PayloadRef } from "../payload-store.ts";
import { openPayloadFiles } from "./open-payload-files.ts";
import { createPayloadFileFolder } from "./payload-file-folder.ts";
import { dayOf, dayOfFile, parseFileName, signalOfFile, toFileId, toFileName } from "./payload-file-names.ts";

const at = { receivedAt: Date.UTC(2026, 4, 20, 12), signal: "errors" as const };

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function onlyFileIn(dir: string): Promise<string> {
  const [name = "", ...others] = await readdir(dir);
  expect(others).toEqual([]);
  return join(dir, name);
}

test("names a file by its day, its signal and its number in the day", () => {
  const fileId = toFileId(20_593, "check-ins", 12);
  expect(fileId).toBe(1_020_593_020_012);
  expect([dayOfFile(fileId), signalOfFile(fileId)]).toEqual([20_593, "check-ins"]);
  expect(toFileName(fileId)).toBe("2026-05-20-check-ins-0012.payloads");
  expect(parseFileName("2026-05-20-check-ins-0012.payloads")).toBe(fileId);
  expect(parseFileName("2026-05-20-nothing-0012.payloads")).toBeNull();
});

test("knows the names of earlier versions, whose files hold every signal", () => {
  const fileId = toFileId(20_593, null, 12);
  expect(fileId).toBe(205_930_012);
  expect([dayOfFile(fileId), signalOfFile(fileId)]).toEqual([20_593, null]);
  expect(toFileName(fileId)).toBe("2026-05-20-0012.payloads");
  expect(parseFileName("2026-05-20-0012.payloads")).toBe(fileId);
  expect(parseFileName("2026-05-20-0012.payloads.tmp")).toBeNull();
  expect(parseFileName("2026-13-20-0012.payloads")).toBeNull();
});

test("leaves other files in the folder alone", async () => {
  await using folder = await createPayloadFileFolder();
  await writeFile(join(folder.dir, "notes.txt"), "mine");
  const store = await folder.open();
  await store.append([bytesOf("x")], { receivedAt: 0, signal: "errors" });
  await store.dropBefore(toCutoffs(() => Date.UTC(2026, 0, 1)));
  expect(await readdir(folder.dir)).toEqual(["notes.txt"]);
});

test("a file of an earlier version, which holds every signal, goes with the last of them", async () => {
  await using folder = await createPayloadFileFolder();
  const store = await folder.open();
  await store.append([bytesOf("x")], at);
  const old = join(folder.dir, toFileName(toFileId(dayOf(at.receivedAt), null, 0)));
  await rename(await onlyFileIn(folder.dir), old);
  expect((await store.listFiles()).map(({ signal }) => signal)).toEqual([null]);
  const over = at.receivedAt + 86_400_000;
  expect(await store.dropBefore(toCutoffs((signal) => (signal === "logs" ? 0 : over)))).toBe(0);
  expect(await store.dropBefore(toCutoffs(() => over))).toBeGreaterThan(0);
  expect(await readdir(folder.dir)).toEqual([]);
});

test("begins the next file when one is full", async () => {
  await using folder = await createPayloadFileFolder();
  const store = await folder.open({ maxFileBytes: 70 });
  const refs = [
    ...(await store.append([bytesOf("a")], at)),
    ...(await store.append([bytesOf("b")], at)),
    ...(await store.append([bytesOf("c")], at)),
  ];
  expect(refs.map((ref) => ref.fileId % 10_000)).toEqual([0, 1, 2]);
  expect(await Promise.all(refs.map((ref) => store.read(ref)))).toEqual(["a", "b", "c"].map(bytesOf));
});

test("says that a payload is damaged wherever one byte of its block is wrong, and never gives other bytes", async () => {
  await using folder = await createPayloadFileFolder();
  const writer = await folder.open();
  const refs = await writer.append([bytesOf("first ".repeat(20)), bytesOf("second ".repeat(20))], at);
  const path = await onlyFileIn(folder.dir);
  const whole = await readFile(path);
  const blockOffset = refs[0]?.offset ?? 0;
  for (let offset = blockOffset; offset < whole.length; offset++) {
    const damaged = Buffer.from(whole);
    damaged[offset] = (damaged[offset] ?? 0) ^ 0x41;
    await writeFile(path, damaged);
    const reader = await openPayloadFiles({ dir: folder.dir });
    for (const ref of refs) await expect(reader.read(ref)).rejects.toThrow(DamagedPayloadError);
    await reader.close();
  }
});

test("says that a chunked payload is damaged", async () => {
  await using folder = await createPayloadFileFolder();
  const writer = await folder.open();
  const [ref] = (await writer.append([bytesOf("0123456789".repeat(250_000))], at)) as [PayloadRef];
  const path = await onlyFileIn(folder.dir);
  const whole = await readFile(path);
  for (let offset = ref.offset; offset < whole.length; offset += offset < ref.offset + 60 ? 1 : 17) {
    const damaged = Buffer.from(whole);
    damaged[offset] = (damaged[offset] ?? 0) ^ 0x41;
    await writeFile(path, damaged);
    const reader = await openPayloadFiles({ dir: folder.dir });
    await expect(reader.read(ref)).rejects.toThrow(DamagedPayloadError);
    await reader.close();
  }
});

test("a tail cut at any byte damages nothing before it, and appending goes on", async () => {
  await using folder = await createPayloadFileFolder();
  const writer = await folder.open();
  const [kept] = (await writer.append([bytesOf("kept")], at)) as [PayloadRef];
  const [torn] = (await writer.append([bytesOf("torn ".repeat(10))], at)) as [PayloadRef];
  await writer.close();
  const path = await onlyFileIn(folder.dir);
  const whole = await readFile(path);
  for (let length = whole.length - 1; length >= torn.offset; length--) {
    await truncate(path, length);
    const store = await openPayloadFiles({ dir: folder.dir });
    expect(await store.read(kept)).toEqual(bytesOf("kept"));
    await expect(store.read(torn)).rejects.toThrow(DamagedPayloadError);
    const [added] = (await store.append([bytesOf(`added at ${length}`)], at)) as [PayloadRef];
    expect(await store.read(added)).toEqual(bytesOf(`added at ${length}`));
    await store.close();
  }
  expect((await readFile(path)).equals(whole.subarray(0, torn.offset))).toBe(true);
});

test("a reference to a place where no block begins is damage, not a payload", async () => {
  await using folder = await createPayloadFileFolder();
  const store = await folder.open();
  const [ref] = (await store.append([bytesOf("one")], at)) as [PayloadRef];
  await expect(store.read({ ...ref, offset: 0 })).rejects.toThrow(DamagedPayloadError);
  await expect(store.read({ ...ref, offset: ref.offset + 1 })).rejects.toThrow(DamagedPayloadError);
  await expect(store.read({ ...ref, offset: 1_000_000 })).rejects.toThrow(DamagedPayloadError);
  await expect(store.read({ ...ref, index: 1 })).rejects.toThrow(DamagedPayloadError);
  await expect(store.read({ ...ref, index: -1 })).rejects.toThrow(DamagedPayloadError);
});

test("blocks that are still in the cache are forgotten with their day", async () => {
  await using folder = await createPayloadFileFolder();
  const store = await folder.open();
  const refs = await store.append([bytesOf("one"), bytesOf("two")], at);
  for (const ref of refs) await store.read(ref);
  await store.dropBefore(toCutoffs(() => at.receivedAt + 2 * 86_400_000));
  for (const ref of refs) expect(await store.read(ref)).toBeNull();
});

test("answers from the cache, as long as the block is in it", async () => {
  await using folder = await createPayloadFileFolder();
  const store = await folder.open({ maxCachedBytes: 8_000 });
  const refs: PayloadRef[] = [];
  for (let index = 0; index < 8; index++) refs.push(...(await store.append([bytesOf(`${index}`.repeat(1_000))], at)));
  for (const ref of refs) await store.read(ref);
  await rm(await onlyFileIn(folder.dir));
  const found = await Promise.all(refs.map(async (ref) => (await store.read(ref)) !== null));
  expect(found).toEqual([false, false, false, true, true, true, true, true]);
});

test("a failed append leaves nothing behind, and the next one is taken", async () => {
  await using folder = await createPayloadFileFolder();
  const store = await folder.open();
  const [kept] = (await store.append([bytesOf("kept")], at)) as [PayloadRef];
  const path = await onlyFileIn(folder.dir);
  const before = await readFile(path);
  const unreadable = new Proxy(new Uint8Array(10), {
    get() {
      throw new Error("no such bytes");
    },
  });
  await expect(store.append([bytesOf("x".repeat(2_000_000)), unreadable], at)).rejects.toThrow();
  expect((await readFile(path)).equals(before)).toBe(true);
  const [next] = (await store.append([bytesOf("next")], at)) as [PayloadRef];
  expect(await store.read(kept)).toEqual(bytesOf("kept"));
  expect(await store.read(next)).toEqual(bytesOf("next"));
});

test("after a kill at any moment, every payload whose append had resolved is there", async () => {
  await using folder = await createPayloadFileFolder();
  const acknowledged: Array<[PayloadRef, string]> = [];
  const script = fileURLToPath(new URL("./fixtures/append-until-killed.ts", import.meta.url));
  for (let kill = 0; kill < 8; kill++) {
    const child = spawn(process.execPath, [script, folder.dir], { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    await once(child.stdout, "data");
    const exit = once(child, "close");
    setTimeout(() => child.kill("SIGKILL"), 10 + kill * 17.3);
    await exit;
    for (const line of printed.split("\n").slice(0, -1)) acknowledged.push(...JSON.parse(line));
  }
  expect(acknowledged.length).toBeGreaterThan(8);
  const store = await folder.open();
  const decoder = new TextDecoder();
  for (const [ref, text] of acknowledged) {
    const payload = await store.read(ref);
    expect(payload && decoder.decode(payload).slice(0, text.length)).toBe(text);
    expect(payload?.length).toBe(text.length * 200);
  }
});

test("two that write to the same folder do not get in each other's way", async () => {
  await using folder = await createPayloadFileFolder();
  const [first, second] = [await folder.open(), await folder.open()];
  const refs = await Promise.all(
    [first, second, first, second].map((store, index) => store.append([bytesOf(`${index}`)], at)),
  );
  const read = await Promise.all(refs.flat().map((ref) => first.read(ref)));
  expect(read).toEqual(["0", "1", "2", "3"].map(bytesOf));
});

test("wherever one byte of a file is wrong, every other entry is read, with the references that it had", async () => {
  await using folder = await createPayloadFileFolder();
  const writer = await folder.open();
  const refs: PayloadRef[] = [];
  for (const name of ["first", "second", "third"]) {
    const entry = Promise.resolve(bytesOf(name));
    refs.push(...(await writer.append([bytesOf(`${name} payload `.repeat(9))], { ...at, entry })));
  }
  const path = await onlyFileIn(folder.dir);
  const whole = await readFile(path);
  for (let offset = 0; offset < whole.length; offset++) {
    const damaged = Buffer.from(whole);
    damaged[offset] = (damaged[offset] ?? 0) ^ 0x41;
    await writeFile(path, damaged);
    const read = new Map<string, PayloadRef>();
    for await (const part of writer.readLog(refs[0]?.fileId ?? 0, 0))
      if (part.kind === "entry") read.set(Buffer.from(part.bytes).toString(), part.refOf(0));
    const hit = refs.findLastIndex((ref) => offset >= ref.offset);
    const expected = ["first", "second", "third"].filter((_, index) => index !== hit);
    expect([...read.keys()]).toEqual(expected);
    expect([...read.values()]).toEqual(refs.filter((_, index) => index !== hit));
  }
});

test("an entry behind a damaged block is read, and its payloads are said to be damaged", async () => {
  await using folder = await createPayloadFileFolder();
  const writer = await folder.open();
  const payloads = Array.from({ length: 3 }, (_, index) => bytesOf(String(index).repeat(600_000)));
  const refs = await writer.append(payloads, { ...at, entry: Promise.resolve(bytesOf("entry")) });
  const path = await onlyFileIn(folder.dir);
  const whole = await readFile(path);
  const second = refs[1]?.offset ?? 0;
  whole[second] = 0;
  await writeFile(path, whole);
  const parts = await readLog(writer, refs[0]?.fileId ?? 0, 0);
  expect(parts.map(({ kind }) => kind)).toEqual(["damaged", "entry"]);
  const [, entry] = parts;
  if (entry?.kind !== "entry") throw new Error("no entry");
  await expect(writer.read(entry.refOf(0))).rejects.toThrow(DamagedPayloadError);
});

test("a file with a block that cannot be read is not written again to change others", async () => {
  await using folder = await createPayloadFileFolder();
  const store = await folder.open();
  const refs: PayloadRef[] = [];
  for (let index = 0; index < 60; index++) {
    const payload = bytesOf(JSON.stringify({ index, text: `${index} of many `.repeat(150) }));
    refs.push(...(await store.append([payload], { ...at, entry: Promise.resolve(bytesOf(`entry ${index}`)) })));
  }
  await store.close();
  const path = await onlyFileIn(folder.dir);
  const bytes = await readFile(path);
  // One of the last, which lean on a dictionary that lies elsewhere afterwards.
  const damagedAt = (refs.at(-1)?.offset ?? 0) + 60;
  bytes[damagedAt] = (bytes[damagedAt] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
  const other = await folder.open();
  const changed = { places: new Map([[0, () => bytesOf("changed")]]), entry: bytesOf("entry 1") };
  const decide = async (entry: Uint8Array) => (String(Buffer.from(entry)) === "entry 1" ? changed : null);
  await expect(other.rewrite(refs[0]?.fileId ?? 0, decide, { reserveBytes: 0 })).rejects.toThrow(DamagedPayloadError);
  expect((await readFile(path)).equals(bytes)).toBe(true);
  expect(await readdir(folder.dir)).toHaveLength(1);
});

test("a tail that a crash has cut at any byte is no damage", async () => {
  await using folder = await createPayloadFileFolder();
  const writer = await folder.open();
  await writer.append([bytesOf("kept")], { ...at, entry: Promise.resolve(bytesOf("whole")) });
  const [torn] = await writer.append([bytesOf("torn ".repeat(10))], { ...at, entry: Promise.resolve(bytesOf("torn")) });
  const path = await onlyFileIn(folder.dir);
  const whole = await readFile(path);
  for (let length = whole.length - 1; length >= (torn?.offset ?? 0); length--) {
    await truncate(path, length);
    const parts = await readLog(writer, torn?.fileId ?? 0, 0);
    expect(parts.map((part) => (part.kind === "entry" ? Buffer.from(part.bytes).toString() : part.kind))).toEqual([
      "whole",
    ]);
  }
});
