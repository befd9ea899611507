import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import type { Frame } from "../domain/event.ts";
import type { SymbolicationEvent } from "./collect-frames.ts";
import { makeBundle } from "./fixtures/map-stacks.ts";
import { FIXTURE_STORES_MODULE, type FixtureStoresOptions } from "./fixtures/symbolicator-stores.ts";
import { openSymbolicator, type SymbolicatorOwner } from "./open-symbolicator.ts";

const BUNDLES = join(import.meta.dirname, "../../tests/fixtures/bundles");
const STACKS: Record<string, Frame[]> = JSON.parse(readFileSync(join(BUNDLES, "rolldown.stacks.json"), "utf8"));

function bundle(note = ""): Uint8Array {
  return makeBundle(
    [
      { url: "~/assets/rolldown.js", type: "minified_source", content: readFileSync(join(BUNDLES, "rolldown.js")) },
      { url: "~/assets/rolldown.js.map", type: "source_map", content: readFileSync(join(BUNDLES, "rolldown.js.map")) },
    ],
    { note },
  );
}

function eventOf(release: string): SymbolicationEvent & { extra: object } {
  return {
    platform: "javascript",
    release,
    extra: { kept: true },
    errors: [{ type: "missing_sourcemap", url: "x" }],
    exception: { values: [{ type: "Error", stacktrace: { frames: STACKS.method ?? [] } }] },
  };
}

function lastName(event: SymbolicationEvent): string | undefined {
  return event.exception?.values[0]?.stacktrace?.frames.at(-1)?.function;
}

const opened: SymbolicatorOwner[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

function open(storesOptions: FixtureStoresOptions) {
  const messages: string[] = [];
  const log = {
    warn: (_: object, message: string) => messages.push(message),
    error: (_: object, message: string) => messages.push(message),
  };
  const symbolicator = openSymbolicator({
    storesModule: FIXTURE_STORES_MODULE,
    storesOptions,
    log,
    minRestartMs: 1,
    limitMs: 20_000,
  });
  opened.push(symbolicator);
  return { symbolicator, messages };
}

test("maps on its own thread, and leaves the rest of the event alone", async () => {
  const { symbolicator } = open({ uploads: [{ bytes: bundle(), release: "1" }] });
  const event = eventOf("1");
  const result = await symbolicator.symbolicate(event, { projectId: 1 });
  expect(lastName(result.event)).toBe("fail");
  expect(result.isChanged).toBe(true);
  expect(result.event.extra).toBe(event.extra);
  expect("errors" in result.event).toBe(false);
  expect(lastName(event)).toBe("e");
  const other = await symbolicator.symbolicate(event, { projectId: 2, withDiagnosis: true });
  expect(other).toMatchObject({ isChanged: true, wanted: [{ release: "1" }] });
  expect(await symbolicator.stats()).toMatchObject({ entries: 3, restartCount: 0 });
});

test.runIf(process.platform === "linux")("has no thread until there is something to be mapped", async () => {
  const { symbolicator } = open({ uploads: [{ bytes: bundle(), release: "1" }] });
  const countThreads = () => readdirSync("/proc/self/task").length;
  const before = countThreads();
  const python: SymbolicationEvent = { platform: "python", stacktrace: { frames: [{ abs_path: "/a.py", lineno: 1 }] } };
  await symbolicator.symbolicate(python, { projectId: 1 });
  expect(countThreads()).toBe(before);
  // All that come before the thread is there.
  const results = await Promise.all(
    Array.from({ length: 5 }, () => symbolicator.symbolicate(eventOf("1"), { projectId: 1 })),
  );
  expect(results.map(({ event }) => lastName(event))).toEqual(["fail", "fail", "fail", "fail", "fail"]);
  expect(countThreads()).toBeGreaterThan(before);
});

test("does not ask the thread about what it could not map", async () => {
  const { symbolicator } = open({ uploads: [] });
  const event: SymbolicationEvent = { platform: "python", stacktrace: { frames: [{ abs_path: "/a.py", lineno: 1 }] } };
  const result = await symbolicator.symbolicate(event, { projectId: 1 });
  expect(result).toMatchObject({ isChanged: false, wanted: [], report: { failure: null, frames: [], files: [] } });
  expect(result.event).toBe(event);
});

test("answers many at once, each its own", async () => {
  const { symbolicator } = open({ uploads: [{ bytes: bundle(), release: "1" }] });
  const releases = Array.from({ length: 100 }, (_, index) => (index % 3 === 0 ? "none" : "1"));
  const results = await Promise.all(
    releases.map((release) => symbolicator.symbolicate(eventOf(release), { projectId: 1 })),
  );
  expect(results.map(({ event }) => lastName(event))).toEqual(
    releases.map((release) => (release === "1" ? "fail" : "e")),
  );
});

test("does not wait longer than it may, and has it the next time", async () => {
  const { symbolicator } = open({ uploads: [{ bytes: bundle(), release: "1" }], openMs: 400 });
  const early = await symbolicator.symbolicate(eventOf("1"), { projectId: 1, limitMs: 100 });
  expect(early).toMatchObject({ isChanged: false, report: { failure: "timed_out" } });
  const files = early.report.files;
  expect(files[0]?.sourceMap.state).toBe("timed_out");
  expect(lastName((await symbolicator.symbolicate(eventOf("1"), { projectId: 1 })).event)).toBe("fail");
});

test("when its thread dies, those who wait are told, and a new one goes on", async () => {
  const uploads = [
    { bytes: bundle("a"), release: "good" },
    { bytes: bundle("b"), release: "bad" },
  ];
  const { symbolicator, messages } = open({ uploads, killer: 1 });
  expect(lastName((await symbolicator.symbolicate(eventOf("good"), { projectId: 1 })).event)).toBe("fail");
  const dead = await symbolicator.symbolicate(eventOf("bad"), { projectId: 1 });
  expect(dead).toMatchObject({ isChanged: false, report: { failure: "thread_died" } });
  // The next one waits for the new thread.
  expect(lastName((await symbolicator.symbolicate(eventOf("good"), { projectId: 1 })).event)).toBe("fail");
  expect(messages).toContain("the symbolicator's thread died; it is started again");
  expect(await symbolicator.stats()).toMatchObject({ restartCount: 1 });
});

test("another thread asks by a port of its own, also after a restart", async () => {
  const uploads = [
    { bytes: bundle("a"), release: "good" },
    { bytes: bundle("b"), release: "bad" },
  ];
  const { symbolicator } = open({ uploads, killer: 1 });
  const asker = new Worker(
    `
    import { parentPort } from "node:worker_threads";
    const { SymbolicatorClient } = await import(${JSON.stringify(new URL("./symbolicator-client.ts", import.meta.url).href)});
    const client = new SymbolicatorClient({ limitMs: 20000 });
    parentPort.on("message", async (message) => {
      if (message.port) return client.attach(message.port);
      const { event, report } = await client.symbolicate(message.event, { projectId: 1 });
      parentPort.postMessage({ failure: report.failure, name: event.exception.values[0].stacktrace.frames.at(-1).function });
    });
    parentPort.postMessage("ready");`,
    { eval: true, execArgv: ["--input-type=module"] },
  );
  try {
    const next = () => new Promise((resolve) => asker.once("message", resolve));
    await next();
    symbolicator.addClient((port) => asker.postMessage({ port }, [port]));
    const ask = (release: string) => {
      const answer = next();
      asker.postMessage({ event: eventOf(release) });
      return answer;
    };
    expect(await ask("good")).toEqual({ failure: null, name: "fail" });
    expect(await ask("bad")).toEqual({ failure: "thread_died", name: "e" });
    expect(await ask("good")).toEqual({ failure: null, name: "fail" });
  } finally {
    await asker.terminate();
  }
});

test("closes while something waits, and answers it", async () => {
  const { symbolicator } = open({ uploads: [{ bytes: bundle(), release: "1" }], openMs: 300 });
  const waiting = symbolicator.symbolicate(eventOf("1"), { projectId: 1 });
  await symbolicator.close();
  expect(await waiting).toMatchObject({ isChanged: false, report: { failure: "closed" } });
  expect((await symbolicator.symbolicate(eventOf("1"), { projectId: 1 })).report.failure).toBe("closed");
});
