import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** Digests ten records from `from` on, in one batch or alone as it is asked to; dies under the killer. Gives the position. */
function runUntilDeath(from: number, killer: number, { isAfterThreadDeath }: { isAfterThreadDeath: boolean }) {
  const suspects = new SuspectRecords(new AttemptLog(path), isAfterThreadDeath);
  suspects.startFrom(from);
  const setAside: number[] = [];
  let at = from;
  while (at < 10) {
    const upTo = suspects.isSuspect(at) ? at + 1 : 10;
    const records = Array.from({ length: upTo - at }, (_, index) => ({ sequence: at + index }));
    suspects.begin({ from: at, upTo, records });
    const isKilled = records.some(({ sequence }) => sequence === killer && !suspects.isPoisoned(sequence));
    if (isKilled) return { position: at, setAside };
    for (const { sequence } of records) if (suspects.isPoisoned(sequence)) setAside.push(sequence);
    suspects.end({ from: at, upTo, records });
    at = upTo;
  }
  return { position: at, setAside };
}

describe("a record that kills its digest", () => {
  for (const killer of [0, 4, 9]) {
    test(`is found among others after a few deaths of the thread: ${killer}`, () => {
      let position = 0;
      let deaths = 0;
      for (;;) {
        const run = runUntilDeath(position, killer, { isAfterThreadDeath: deaths > 0 });
        position = run.position;
        if (position === 10) {
          expect(run.setAside).toEqual([killer]);
          break;
        }
        deaths++;
        expect(deaths).toBeLessThan(6);
      }
    });
  }

  test("is set aside only after more deaths when each time the whole process died, as by an operator's hand", () => {
    let position = 0;
    let deaths = 0;
    while (position < 10) {
      position = runUntilDeath(position, 4, { isAfterThreadDeath: false }).position;
      if (position < 10) deaths++;
    }
    expect(deaths).toBe(10);
  });

  test("is not looked for when the position has moved since", () => {
    for (let run = 0; run < 10; run++) runUntilDeath(run, run, { isAfterThreadDeath: false });
    const suspects = new SuspectRecords(new AttemptLog(path), false);
    suspects.startFrom(10);
    expect(suspects.isSuspect(10)).toBe(false);
  });

  test("is no concern of an attempt that cannot be read", () => {
    writeFileSync(path, '{"from":');
    const suspects = new SuspectRecords(new AttemptLog(path), true);
    suspects.startFrom(0);
    expect(suspects.isSuspect(0)).toBe(false);
  });
});
