import { expect, test } from "vitest";
import type { LostDay } from "../../domain/storage/storage-watch.ts";
import { noteMissingDays } from "./note-missing-days.server.ts";

const lost = (day: number, signal: LostDay["signal"], name = ""): LostDay => ({
  ...{ day, signal, name, rows: 1, isLogged: false },
});

function note(days: readonly LostDay[]): string | null {
  const headers = new Headers();
  noteMissingDays(headers, days);
  return headers.get("culprit-missing-days");
}

test("names each day and signal once, in order; nothing where no day is missing", () => {
  expect(note([])).toBeNull();
  expect(note([lost(20_593, "logs"), lost(20_592, "spans", "a"), lost(20_592, "spans", "b")])).toBe(
    "2026-05-19 spans, 2026-05-20 logs",
  );
});

test("stays short where hundreds are missing", () => {
  const many = note(Array.from({ length: 300 }, (_, day) => lost(20_000 + day, "transactions")));
  expect(many).toMatch(/, and 260 more$/);
  expect(many?.length).toBeLessThan(2_000);
});
