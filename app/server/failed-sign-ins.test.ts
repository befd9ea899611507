import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AuditNote } from "../domain/audit/audit-entry.ts";
import { createFailedSignIns } from "./failed-sign-ins.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first failure is written at once, ten thousand more as one entry after the window", async () => {
  const notes: AuditNote[] = [];
  const failed = createFailedSignIns(async (note) => void notes.push(note), { onError: () => {}, windowMs: 1_000 });
  failed.count({ account: "ada@example.com", address: "192.0.2.1" });
  expect(notes).toHaveLength(1);
  for (let index = 0; index < 10_000; index++) failed.count({ account: `${index}@example.com`, address: `${index}` });
  expect(notes).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(notes).toHaveLength(2);
  expect(notes[1]?.after).toMatchObject({ attempts: 10_000 });
  expect(JSON.stringify(notes[1]).length).toBeLessThan(1_000);
  // A quiet window writes nothing, and the next failure comes at once again.
  await vi.advanceTimersByTimeAsync(2_000);
  expect(notes).toHaveLength(2);
  failed.count({ account: null, address: null });
  expect(notes).toHaveLength(3);
});

test("what is counted when the server stops is written, and a log that cannot be written stops nobody", async () => {
  const errors: unknown[] = [];
  const failed = createFailedSignIns(() => Promise.reject(new Error("disk full")), {
    onError: (error) => errors.push(error),
    windowMs: 1_000,
  });
  failed.count({ account: null, address: null });
  failed.count({ account: null, address: null });
  await failed.close();
  expect(errors).toHaveLength(2);
});
