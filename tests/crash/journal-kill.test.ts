import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createJournalFolder, reopenAndRead } from "../support/journal-folder.ts";

const RUNS = Number(process.env.CRASH_COUNT) || 10;
const CHILD = join(import.meta.dirname, "append-until-killed.ts");

/** Kills the process so long after its first acknowledgement; gives what it had acknowledged. */
async function appendAndKill(dir: string, run: number, afterMs: number): Promise<Map<number, string>> {
  const child = spawn(process.execPath, [CHILD, dir, String(run)], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  let isKilling = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (isKilling) return;
    isKilling = true;
    setTimeout(() => child.kill("SIGKILL"), afterMs);
  });
  await new Promise((resolve) => child.once("close", resolve));
  const acknowledged = new Map<number, string>();
  // The last line may be cut: only whole ones were received by anyone.
  for (const line of output.slice(0, output.lastIndexOf("\n")).split("\n")) {
    const [sequence = "", name = ""] = line.split(" ");
    acknowledged.set(Number(sequence), name);
  }
  return acknowledged;
}

test(`every append acknowledged before kill -9 is there after it, ${RUNS} times`, async () => {
  using folder = createJournalFolder();
  const acknowledged = new Map<number, string>();
  for (let run = 0; run < RUNS; run++) {
    const fresh = await appendAndKill(folder.dir, run, Math.random() * 150);
    expect(fresh.size).toBeGreaterThan(0);
    for (const [sequence, name] of fresh) {
      expect(acknowledged.has(sequence), `sequence ${sequence} was given twice`).toBe(false);
      acknowledged.set(sequence, name);
    }
  }
  const found = new Map(await reopenAndRead(folder));
  const missing = [...acknowledged].filter(([sequence, name]) => !found.get(sequence)?.startsWith(`${name} `));
  expect(missing).toEqual([]);
  expect([...found.keys()]).toEqual(Array.from(found, (_, at) => at));
  const names = [...found.values()].map((text) => text.slice(0, text.indexOf(" ")));
  expect(new Set(names).size).toBe(names.length);
});
