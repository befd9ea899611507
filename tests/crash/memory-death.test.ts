import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openDigestFolder } from "../support/digest-folder.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const SCRIPT = fileURLToPath(new URL("./digest-with-small-heap.ts", import.meta.url));
/** Twice in a batch, twice alone: then it is known. */
const DEATHS = 4;

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(dir: string): Promise<Run> {
  return new Promise((resolve) => {
    const args = ["--disable-warning=ExperimentalWarning", SCRIPT, dir];
    const child = execFile(process.execPath, args, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Each of its arrays takes ten times as much memory as text. */
function makeHugeEvent(eventId: string): string {
  const event = `{"event_id":"${eventId}","extra":{"arrays":[${"[],".repeat(1_500_000)}[]]}}`;
  return `{"event_id":"${eventId}"}\n{"type":"event","length":${event.length}}\n${event}\n`;
}

/** A thread that needs more memory than it may have ends alone, or takes the process with it: Node does either. */
test("an event that takes more memory than a thread has is set aside; the others are stored once", {
  timeout: 240_000,
}, async () => {
  using data = makeTempFolder();
  const ids: string[] = [];
  {
    await using folder = await openDigestFolder({ dir: data.path });
    for (let at = 0; at < 30; at++) ids.push(await folder.appendError({ type: `Before${at % 3}` }));
    await folder.appendEnvelope(makeHugeEvent("a".repeat(32)), "a".repeat(32));
    for (let at = 0; at < 30; at++) ids.push(await folder.appendError({ type: `After${at % 3}` }));
  }
  const runs: Run[] = [];
  do runs.push(await run(data.path));
  while (runs.at(-1)?.code !== 0 && runs.length <= DEATHS);
  const last = runs.at(-1);
  expect([last?.code, last?.code === 0 ? "" : last?.stderr]).toEqual([0, ""]);
  const stored = JSON.parse(last?.stdout ?? "");
  expect(stored).toEqual({
    ids: ids.sort(),
    ledger: { "error accepted": 60, "unknown malformed digest_error": 1 },
    issues: expect.anything(),
    setAsideCount: 1,
  });
  expect(Object.values(stored.issues)).toEqual(Array(6).fill(10));
  const said = runs.map(({ stderr }) => stderr).join("");
  // Also those of threads whose process died later.
  const deaths = said.split("the digest thread died").length - 1 + runs.length - 1;
  expect(deaths).toBe(DEATHS);
  expect(said).toMatch(/ERR_WORKER_OUT_OF_MEMORY|heap out of memory/);
});
