import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryJournal } from "../../tests/support/memory-journal.ts";
import type { OutcomeCount } from "../domain/outcome.ts";
import { createOutcomeCounter } from "./outcome-counter.ts";

const HOUR = 3_600_000;
const COUNT: OutcomeCount = {
  projectId: 1,
  category: "error",
  outcome: "rate_limited",
  reason: "key_quota",
  quantity: 1,
  receivedAt: 10 * HOUR,
};

function start() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const journal = createMemoryJournal();
  const errors: object[] = [];
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => errors.push(fields) };
  const counter = createOutcomeCounter({ journal, now: () => 10 * HOUR + 5, log });
  return { journal, errors, counter };
}

/** Lets appends, which take a turn of the event loop, come to their end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("createOutcomeCounter", () => {
  test("journals sums, a quarter of a second after the first of them", async () => {
    const { journal, counter } = start();
    counter.count(COUNT);
    vi.advanceTimersByTime(249);
    counter.count({ ...COUNT, quantity: 4 });
    counter.count({ ...COUNT, reason: "backlog_full" });
    await settle();
    expect(journal.entries).toEqual([]);
    vi.advanceTimersByTime(1);
    await settle();
    expect(journal.entries).toEqual([
      {
        kind: "outcomes",
        receivedAt: 10 * HOUR + 5,
        outcomes: [
          { ...COUNT, quantity: 5 },
          { ...COUNT, reason: "backlog_full" },
        ],
      },
    ]);
    await counter.close();
    expect(journal.entries).toHaveLength(1);
  });

  test("keeps hours, projects and categories apart", async () => {
    const { journal, counter } = start();
    counter.count(COUNT);
    counter.count({ ...COUNT, receivedAt: 11 * HOUR });
    counter.count({ ...COUNT, projectId: 2 });
    counter.count({ ...COUNT, category: "session" });
    await counter.close();
    expect(journal.entries).toMatchObject([{ outcomes: [{}, {}, {}, {}] }]);
  });

  test("journals what is left when it closes", async () => {
    const { journal, counter } = start();
    counter.count(COUNT);
    await counter.close();
    expect(journal.outcomes()).toEqual({ "error rate_limited key_quota": 1 });
  });

  test("keeps counts that the journal does not take, and tries again a second later", async () => {
    const { journal, counter } = start();
    journal.failWith(new Error("disk full"));
    counter.count(COUNT);
    vi.advanceTimersByTime(250);
    await settle();
    expect(journal.entries).toEqual([]);
    counter.count(COUNT);
    journal.failWith(null);
    vi.advanceTimersByTime(1000);
    await settle();
    expect(journal.outcomes()).toEqual({ "error rate_limited key_quota": 2 });
    await counter.close();
  });

  test("logs the counts that are lost when the journal takes nothing to the end", async () => {
    const { journal, errors, counter } = start();
    journal.failWith(new Error("disk full"));
    counter.count(COUNT);
    await counter.close();
    expect(errors).toEqual([{ outcomes: [COUNT] }]);
  });

  test("writes entries of at most 1,000 counts", async () => {
    const { journal, counter } = start();
    for (let at = 0; at < 1001; at++) counter.count({ ...COUNT, projectId: at });
    await counter.close();
    expect(journal.entries.map((entry) => (entry.kind === "outcomes" ? entry.outcomes.length : 0))).toEqual([1000, 1]);
  });
});
