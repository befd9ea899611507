import { expect, test } from "vitest";
import type { Log } from "../../log.server.ts";
import { createDeletionsJob, type DeletionStores } from "./deletions.ts";

const GONE = "what was deleted is in no file any more";

/** A deletion whose files are all written again. `checkpoint`: of the state. */
function createJob(checkpoint: () => Promise<boolean>) {
  const said: Array<{ deletions: number; msg: string }> = [];
  const say = (fields: { deletions: number }, msg: string) => said.push({ ...fields, msg });
  const open = [{ id: 1, phase: "erasing", kind: "issue", askedAt: 0 }];
  const stores = {
    state: {
      checkpoint,
      deletionWork: {
        listOpen: async () => open,
        listDeletedProjects: async () => [],
        listErasures: async () => [],
        finish: async () => open.splice(0).length,
      },
    },
    events: { movedDays: { erase: async () => 0 }, checkpoint: async () => true },
    journals: [],
  } as unknown as DeletionStores;
  const { job } = createDeletionsJob(stores, {
    eraseAfterMs: 0,
    sealDigest: async () => undefined,
    showLatest: async () => undefined,
    log: { info: say, warn: say } as unknown as Log,
    now: () => 1,
  });
  return { job, said };
}

test("that nothing is in a file any more is said once the log of the state has let go, however late", async () => {
  const ending = new AbortController();
  let isHeld = true;
  const { job, said } = createJob(async () => {
    ending.abort();
    return !isHeld;
  });
  await job.run(ending.signal);
  expect(said).toEqual([{ deletions: 1, msg: expect.stringContaining("a reader holds") }]);
  const later = new AbortController();
  await job.run(later.signal);
  expect(said).toHaveLength(1);
  isHeld = false;
  await job.run(later.signal);
  await job.run(later.signal);
  expect(said.slice(1)).toEqual([{ deletions: 1, msg: GONE }]);
});

test("it is said at once where no reader is in the way", async () => {
  const { job, said } = createJob(async () => true);
  await job.run(new AbortController().signal);
  expect(said).toEqual([{ deletions: 1, msg: GONE }]);
});
