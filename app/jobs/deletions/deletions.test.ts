import { expect, test } from "vitest";
import type { Log } from "../../log.server.ts";
import { createDeletionsJob, type DeletionStores } from "./deletions.ts";

const GONE = "what was deleted is in no payload file, journal or log of a database any more";

type Checkpoint = () => Promise<boolean>;

/** A deletion whose payload files are all written again. */
function createJob(checkpoints: { state: Checkpoint; events: Checkpoint }) {
  const said: Array<{ deletions: number; msg: string }> = [];
  const say = (fields: { deletions: number }, msg: string) => said.push({ ...fields, msg });
  const open = [{ id: 1, phase: "erasing", kind: "issue", askedAt: 0 }];
  const forgotten: typeof open = [];
  const done: typeof open = [];
  const stores = {
    state: {
      checkpoint: checkpoints.state,
      deletionWork: {
        listOpen: async () => open,
        listDeletedProjects: async () => [],
        listErasures: async () => [],
        forget: async () => void forgotten.push(...open.splice(0)),
        countForgotten: async () => forgotten.length,
        finish: async () => done.push(...forgotten.splice(0)),
      },
    },
    events: { movedDays: { erase: async () => 0 }, checkpoint: checkpoints.events },
    journals: [],
  } as unknown as DeletionStores;
  const { job } = createDeletionsJob(stores, {
    eraseAfterMs: 0,
    sealDigest: async () => undefined,
    showLatest: async () => undefined,
    log: { info: say, warn: say } as unknown as Log,
    now: () => 1,
  });
  return { job, said, done };
}

test.each(["state", "events"] as const)("it is done once the log of %s has let go, however late", async (held) => {
  const ending = new AbortController();
  let isHeld = true;
  const free = async () => true;
  const hold = async () => {
    ending.abort();
    return !isHeld;
  };
  const { job, said, done } = createJob({ state: free, events: free, [held]: hold });
  await job.run(ending.signal);
  expect(done).toEqual([]);
  expect(said).toEqual([{ deletions: 1, msg: expect.stringContaining("a reader holds") }]);
  const later = new AbortController();
  await job.run(later.signal);
  expect(said).toHaveLength(1);
  isHeld = false;
  await job.run(later.signal);
  await job.run(later.signal);
  expect(done).toHaveLength(1);
  expect(said.slice(1)).toEqual([{ deletions: 1, msg: GONE }]);
});

test("it is done at once where no reader is in the way", async () => {
  const { job, said, done } = createJob({ state: async () => true, events: async () => true });
  await job.run(new AbortController().signal);
  expect(done).toHaveLength(1);
  expect(said).toEqual([{ deletions: 1, msg: GONE }]);
});
