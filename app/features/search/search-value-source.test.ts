import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ASK_AFTER_MS, createSearchValueSource, type SearchValueSource } from "./search-value-source.ts";
import type { SearchValues } from "./search-values.ts";

const VERSIONS = ["web@1.4.0", "web@1.3.9", "api@2.0.0", "api@1.0.0"];
let asked: string[];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
});
afterEach(() => {
  vi.useRealTimers();
});

/** Answers with at most two, as a server does with more. */
async function load(letters: string): Promise<SearchValues | null> {
  asked.push(letters);
  if (letters === "offline") return null;
  if (letters === "broken") throw new Error("no network");
  const matching = VERSIONS.filter((version) => version.includes(letters));
  return { values: matching.slice(0, 2).map((value) => ({ value, counted: null })), isAll: matching.length <= 2 };
}

const find = (source: SearchValueSource, letters: string) => source.find(letters).map(({ value }) => value);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("somebody who types on asks once, for the text at the end", async () => {
  const source = createSearchValueSource(load);
  const answered = vi.fn();
  for (const letters of ["a", "ap", "api"]) {
    source.ask(letters, answered);
    await pass(ASK_AFTER_MS - 1);
  }
  expect(asked).toEqual([]);
  await pass(1);
  expect(asked).toEqual(["api"]);
  expect(answered).toHaveBeenCalledTimes(1);
  expect(find(source, "api")).toEqual(["api@2.0.0", "api@1.0.0"]);
});

test("what a whole answer holds is not asked for again; what one in part holds stands there meanwhile", async () => {
  const source = createSearchValueSource(load);
  const answered = vi.fn();
  source.ask("", answered);
  await pass(ASK_AFTER_MS);
  expect(find(source, "web@1.3")).toEqual(["web@1.3.9"]);
  expect(find(source, "api")).toEqual([]);
  source.ask("api", answered);
  await pass(ASK_AFTER_MS);
  for (const letters of ["api@2", "api", ""]) {
    source.ask(letters, answered);
    await pass(ASK_AFTER_MS);
  }
  expect(asked).toEqual(["", "api"]);
  expect(find(source, "api@2")).toEqual(["api@2.0.0"]);
});

test("an answer that comes too late or never is ignored", async () => {
  const source = createSearchValueSource(load);
  const answered = vi.fn();
  source.ask("web", answered);
  source.stop();
  await pass(ASK_AFTER_MS);
  expect(asked).toEqual([]);
  for (const letters of ["offline", "broken"]) {
    source.ask(letters, answered);
    await pass(ASK_AFTER_MS);
  }
  expect(answered).not.toHaveBeenCalled();
  expect(find(source, "offline")).toEqual([]);
  source.ask("offline", answered);
  await pass(ASK_AFTER_MS);
  expect(asked).toEqual(["offline", "broken", "offline"]);
});
