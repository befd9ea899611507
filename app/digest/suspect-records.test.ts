import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AttemptLog } from "./attempt-log.ts";
import { SuspectRecords } from "./suspect-records.ts";

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "culprit-attempt-"));
  path = join(dir, "attempt");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

interface Run {
  /** The record under which the thread dies. */
  killer?: number;
  /** The process dies under its first batch, whatever is in it; when it has to wait first, it dies waiting. */
  isKilledAtStart?: boolean;
  /** State has applied the records below. */
  stateUpTo?: number;
}

/** Digests ten records from `from` on, in batches or alone as it is told, until it dies. Gives its position then. */
function runFrom(from: number, { killer, isKilledAtStart = false, stateUpTo = from }: Run) {
  const suspects = new SuspectRecords(new AttemptLog(path));
  suspects.startFrom(from, stateUpTo);
  const setAside: number[] = [];
  let at = from;
  while (at < 10) {
    if (isKilledAtStart && suspects.mayKill(at)) return { position: at, setAside };
    const upTo = suspects.isSuspect(at) ? at + 1 : 10;
    const records = Array.from({ length: upTo - at }, (_, index) => ({ sequence: at + index }));
    suspects.begin({ from: at, upTo, records });
    const isKilled = records.some(({ sequence }) => sequence === killer && !suspects.isPoisoned(sequence));
    if (isKilled || isKilledAtStart) return { position: at, setAside };
    for (const { sequence } of records) if (suspects.isPoisoned(sequence)) setAside.push(sequence);
    suspects.end({ from: at, upTo, records });
    at = upTo;
  }
  return { position: at, setAside };
}

describe("a record that kills its digest", () => {
  for (const killer of [0, 4, 9]) {
    test(`is found among others: ${killer}`, () => {
      let position = 0;
      let deaths = 0;
      for (;;) {
        const run = runFrom(position, { killer });
        position = run.position;
        if (position === 10) {
          expect(run.setAside).toEqual([killer]);
          break;
        }
        deaths++;
      }
      // Two under the batch, two under the record: the death that shows where it is counts for both unless it is the first.
      expect(deaths).toBe(4);
    });
  }

  test("is set aside when the process dies once more before that is stored", () => {
    for (let death = 0; death < 4; death++) expect(runFrom(0, { killer: 0 }).position).toBe(0);
    const attempts = new AttemptLog(path);
    expect(attempts.read()).toEqual({ from: 0, upTo: 1, deaths: 1, isAlone: true });
    const suspects = new SuspectRecords(attempts);
    suspects.startFrom(0, 0);
    suspects.begin({ from: 0, upTo: 1, records: [{ sequence: 0 }] });
    expect(runFrom(0, { killer: 0 })).toEqual({ position: 10, setAside: [0] });
  });

  test("is not blamed for a few deaths once state has counted it, and is after ten", () => {
    for (let death = 0; death < 3; death++) expect(runFrom(0, { killer: 0 }).position).toBe(0);
    for (let death = 0; death < 8; death++)
      expect(runFrom(0, { killer: 0, stateUpTo: 1 })).toEqual({ position: 0, setAside: [] });
    // One that lives goes on with it.
    const attempt = readFileSync(path);
    expect(runFrom(0, { stateUpTo: 1 })).toEqual({ position: 10, setAside: [] });
    writeFileSync(path, attempt);
    expect(runFrom(0, { killer: 0, stateUpTo: 1 })).toEqual({ position: 0, setAside: [] });
    expect(runFrom(0, { killer: 0, stateUpTo: 1 })).toEqual({ position: 10, setAside: [0] });
  });

  test("is not looked for when the position has moved since", () => {
    for (let run = 0; run < 10; run++) runFrom(run, { killer: run });
    const suspects = new SuspectRecords(new AttemptLog(path));
    suspects.startFrom(10, 10);
    expect(suspects.isSuspect(10)).toBe(false);
  });

  test("is no concern of an attempt that cannot be read", () => {
    writeFileSync(path, '{"from":');
    const suspects = new SuspectRecords(new AttemptLog(path));
    suspects.startFrom(0, 0);
    expect(suspects.isSuspect(0)).toBe(false);
  });
});

describe("processes that are killed before the first batch is stored", () => {
  test("eight times in a row: no record is blamed, and everything is stored by the ninth", () => {
    for (let kill = 0; kill < 8; kill++) expect(runFrom(0, { isKilledAtStart: true }).position).toBe(0);
    expect(runFrom(0, {})).toEqual({ position: 10, setAside: [] });
  });

  test("once: the next one takes its records together", () => {
    runFrom(0, { isKilledAtStart: true });
    const suspects = new SuspectRecords(new AttemptLog(path));
    suspects.startFrom(0, 0);
    expect([suspects.isSuspect(0), suspects.mayKill(0)]).toEqual([false, false]);
  });

  test("in between deaths under a record that does kill: it is found all the same", () => {
    for (let death = 0; death < 2; death++) {
      runFrom(0, { isKilledAtStart: true });
      runFrom(0, { killer: 0 });
    }
    runFrom(0, { isKilledAtStart: true });
    runFrom(0, { killer: 0 });
    expect(runFrom(0, { killer: 0 })).toEqual({ position: 10, setAside: [0] });
  });
});

describe("a record that a store refuses", () => {
  const open = () => {
    const suspects = new SuspectRecords(new AttemptLog(path));
    suspects.startFrom(0, 0);
    return suspects;
  };
  const alone = (sequence: number) => ({ from: sequence, upTo: sequence + 1, records: [{ sequence }] });
  const refuseTwice = (suspects: SuspectRecords, sequence: number) => {
    suspects.blame(alone(sequence));
    suspects.blame(alone(sequence));
  };

  test("is poisoned by its second refusal alone, and by none that it shares", () => {
    const suspects = open();
    suspects.blame({ from: 0, upTo: 2, records: [{ sequence: 0 }, { sequence: 1 }] });
    expect([suspects.isSuspect(1), suspects.isSuspect(2)]).toEqual([true, false]);
    suspects.blame(alone(0));
    expect(suspects.isPoisoned(0)).toBe(false);
    suspects.blame(alone(0));
    expect([suspects.isPoisoned(0), suspects.isPoisoned(1)]).toEqual([true, false]);
  });

  test("may be refused once each by many without blame", () => {
    const suspects = open();
    for (const sequence of [0, 1, 0, 1, 0]) suspects.blame(alone(sequence));
    expect([suspects.isPoisoned(0), suspects.isPoisoned(1)]).toEqual([false, false]);
  });

  test("is not blamed after ten others in a row, until one is stored in between", () => {
    const suspects = open();
    for (let sequence = 0; sequence < 10; sequence++) {
      refuseTwice(suspects, sequence);
      expect(suspects.isPoisoned(sequence)).toBe(true);
      suspects.end(alone(sequence));
    }
    refuseTwice(suspects, 10);
    expect(suspects.isPoisoned(10)).toBe(false);
    suspects.end(alone(10));
    refuseTwice(suspects, 11);
    expect(suspects.isPoisoned(11)).toBe(true);
  });
});
