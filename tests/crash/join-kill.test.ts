import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDigestFolder } from "../support/digest-folder.ts";
import { PassFolder } from "../support/pass-folder.ts";

const CHILD = join(import.meta.dirname, "join-until-killed.ts");

test("after kill -9 between the end of an issue and the sweep of its events, the next start finds them", async () => {
  const dir = mkdtempSync(join(tmpdir(), "culprit-join-"));
  try {
    const child = spawn(process.execPath, [CHILD, dir], { stdio: ["ignore", "inherit", "inherit"] });
    const [, signal] = await once(child, "close");
    expect(signal).toBe("SIGKILL");

    await using pass = new PassFolder(await openDigestFolder({ dir }), { sequence: 6 });
    const { state } = pass.folder.stores;
    const [ended] = await state.reprocessing.listUnfinishedMerges(10);
    const [issue, ...others] = await pass.issues();
    expect([issue?.eventCount, others]).toEqual([6, []]);
    // What would be missing in every list.
    expect(await pass.storedCount(ended?.issueId ?? 0)).toBeGreaterThan(0);
    expect((await pass.folder.eventIds()).length).toBe(6);

    await pass.upload("rolldown");
    await pass.upload("terser");
    pass.start();
    await expect.poll(() => state.reprocessing.listUnfinishedMerges(10)).toEqual([]);
    expect(await pass.storedCount(ended?.issueId ?? 0)).toBe(0);
    await expect.poll(() => pass.storedCount(issue?.id ?? 0)).toBe(6);
    await expect.poll(() => pass.wanted()).toEqual([]);
    expect((await pass.issues()).map(({ id, eventCount }) => [id, eventCount])).toEqual([[issue?.id, 6]]);
    expect(await state.reprocessing.listEventMoves(10)).toEqual([]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
