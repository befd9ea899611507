import { expect, test } from "vitest";
import type { StoredSignal } from "../../domain/stored-signal.ts";
import type { LoggedEnd } from "./event-rebuild.ts";
import { noteEnd, toAppliedPosition } from "./logged-ends.ts";

type Entry = [
  signal: StoredSignal | null,
  upTo: number,
  batch?: { from: number; signals: StoredSignal[]; repeats?: number[] },
];

/** In every order. */
function positions(entries: readonly Entry[]) {
  const results = permutations(entries).map((order) => {
    const ends: Record<string, LoggedEnd> = {};
    for (const [signal, upTo, batch] of order) noteEnd(ends, { journalId: "a", upTo, batch }, signal);
    return toAppliedPosition(ends.a as LoggedEnd);
  });
  for (const result of results) expect(result).toEqual(results[0]);
  return results[0];
}

function permutations<Value>(values: readonly Value[]): Value[][] {
  if (values.length < 2) return [[...values]];
  return values.flatMap((value, at) =>
    permutations(values.filter((_, other) => other !== at)).map((rest) => [value, ...rest]),
  );
}

const both: StoredSignal[] = ["errors", "logs"];

test("a batch of one signal, and entries of earlier versions, are whole", () => {
  expect(positions([["errors", 10]])).toEqual({ position: 10, ahead: { signals: {}, repeats: [] } });
  expect(
    positions([
      [null, 10],
      ["logs", 20],
    ]),
  ).toMatchObject({ position: 20 });
});

test("a batch whose signals all have their entries is whole", () => {
  const batch = { from: 4, signals: both };
  expect(
    positions([
      ["errors", 10, batch],
      ["logs", 10, batch],
    ]),
  ).toMatchObject({ position: 10, ahead: { signals: {} } });
});

test("a last batch that lacks a signal begins again, without the rows that are there", () => {
  const batch = { from: 12, signals: both, repeats: [14] };
  expect(
    positions([
      ["logs", 10],
      ["errors", 20, batch],
    ]),
  ).toEqual({
    position: 12,
    ahead: { signals: { errors: 20 }, repeats: [14] },
  });
});

test("a batch that lacks a signal is made up for by one that came after it", () => {
  const cutOff = { from: 12, signals: both };
  const again = { from: 12, signals: both };
  // As a digest writes it that knows that errors are there.
  expect(
    positions([
      ["errors", 20, cutOff],
      ["errors", 30, again],
      ["logs", 30, again],
    ]),
  ).toMatchObject({ position: 30 });
  expect(
    positions([
      ["errors", 20, cutOff],
      ["logs", 20],
    ]),
  ).toMatchObject({ position: 20 });
  expect(
    positions([
      ["errors", 20, cutOff],
      ["logs", 15],
    ]),
  ).toMatchObject({
    position: 12,
    ahead: { signals: { errors: 20, logs: 15 } },
  });
});
