import { describe, expect, test } from "vitest";
import { PassFolder, type RunningPass } from "../../../tests/support/pass-folder.ts";
import { projects } from "../../stores/event-store-contract/fixture.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";

const isDone = (job: RunningPass) => expect.poll(() => job.progress().endedAt).not.toBeNull();

/** The state, with something done around one call of one of its stores. */
function around<Name extends "reprocessing" | "artifactIndex", Call extends keyof State[Name]>(
  state: State,
  name: Name,
  call: Call,
  replacement: State[Name][Call],
): State {
  return { ...state, [name]: { ...state[name], [call]: replacement } };
}

/** Lets an event be counted with the issue that is about to end, and stored after it has. */
function storeLateInto(pass: PassFolder, issueId: number, die: () => never): State {
  const { state } = pass.folder.stores;
  let isDone = false;
  return around(state, "reprocessing", "regroupEvents", async (change) => {
    if (change.fromIssueId !== issueId || isDone) return await state.reprocessing.regroupEvents(change);
    isDone = true;
    let result: Awaited<ReturnType<State["reprocessing"]["regroupEvents"]>> | undefined;
    const { events } = pass.folder;
    await pass.store("rolldown", 1, {
      events: {
        findExisting: (keys) => events.findExisting(keys),
        append: async (batch) => {
          result = await state.reprocessing.regroupEvents(change);
          return await events.append(batch);
        },
      },
    });
    if (result === undefined || result.mergedInto === null) throw new Error("the issue did not end");
    return die();
  });
}

describe("an issue that ends while events of it are being stored", () => {
  test("has none of them in the end, though the process dies before they are looked for", async () => {
    await using pass = await PassFolder.open();
    await pass.store("terser", 3);
    await pass.store("rolldown", 2);
    const [larger, smaller] = await pass.issues();
    const [largerId, smallerId] = [larger?.id ?? 0, smaller?.id ?? 0];
    await pass.upload("rolldown");
    await pass.upload("terser");
    const job = pass.start({
      state: storeLateInto(pass, smallerId, () => {
        void job.close();
        throw new Error("the process dies");
      }),
    });
    await expect.poll(() => pass.storedCount(smallerId)).toBe(3);
    await job.close();
    const { state } = pass.folder.stores;
    expect((await state.reprocessing.listUnfinishedMerges(10)).map(({ issueId }) => issueId)).toEqual([smallerId]);
    expect((await state.issues.getIssue(EVERYTHING, smallerId))?.id).toBe(largerId);

    pass.start();
    await expect.poll(() => state.reprocessing.listUnfinishedMerges(10)).toEqual([]);
    expect(await pass.storedCount(smallerId)).toBe(0);
    await expect.poll(() => pass.storedCount(largerId)).toBe(6);
    expect((await state.issues.getIssue(EVERYTHING, largerId))?.eventCount).toBe(6);
    expect(await state.reprocessing.listEventMoves(10)).toEqual([]);
  });

  test("is gone over again after a failure in the same process", async () => {
    await using pass = await PassFolder.open();
    await pass.store("terser", 3);
    await pass.store("rolldown", 2);
    const smallerId = (await pass.issues())[1]?.id ?? 0;
    await pass.upload("rolldown");
    await pass.upload("terser");
    const { state } = pass.folder.stores;
    const job = pass.start({
      retryMs: 10,
      state: storeLateInto(pass, smallerId, () => {
        throw new Error("the disk is full");
      }),
    });
    await expect.poll(() => job.progress().problem).toBe("the disk is full");
    await expect.poll(() => state.reprocessing.listUnfinishedMerges(10)).toEqual([]);
    expect(await pass.storedCount(smallerId)).toBe(0);
    await expect.poll(() => pass.wanted()).toEqual([]);
  });

  test("is not taken for done while the event store is behind", async () => {
    await using pass = await PassFolder.open();
    await pass.store("terser", 3);
    await pass.store("rolldown", 2);
    const [larger, smaller] = await pass.issues();
    await pass.upload("rolldown");
    await pass.upload("terser");
    const { state } = pass.folder.stores;
    const { events } = pass.folder;
    let isBehind = false;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let storing: Promise<unknown> = Promise.resolve();
    pass.start({
      state: around(state, "reprocessing", "regroupEvents", async (change) => {
        if (change.fromIssueId !== smaller?.id || isBehind) return await state.reprocessing.regroupEvents(change);
        isBehind = true;
        await new Promise<void>((resolve) => {
          storing = pass.store("rolldown", 1, {
            events: {
              findExisting: (keys) => events.findExisting(keys),
              append: async (batch) => {
                resolve();
                await held;
                return await events.append(batch);
              },
            },
          });
        });
        return await state.reprocessing.regroupEvents(change);
      }),
    });
    await expect.poll(async () => (await state.reprocessing.listUnfinishedMerges(10)).length).toBe(1);
    // Time enough for one that would not wait.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await state.reprocessing.listUnfinishedMerges(10)).toHaveLength(1);
    release();
    await storing;
    await expect.poll(() => state.reprocessing.listUnfinishedMerges(10)).toEqual([]);
    expect(await pass.storedCount(smaller?.id ?? 0)).toBe(0);
    expect(await pass.storedCount(larger?.id ?? 0)).toBe(6);
  });
});

describe("an event that is digested around an upload", () => {
  test("is found when the upload comes while the pass looks for what an earlier one helps", async () => {
    await using pass = await PassFolder.open();
    await pass.store("terser");
    await pass.upload("terser");
    let durable = pass.sequence;
    const journal = {
      id: pass.folder.journal.id,
      firstSequence: 0,
      get durable() {
        return { sequence: durable };
      },
    };
    const { state } = pass.folder.stores;
    let isUploaded = false;
    const job = pass.start({
      journals: [journal],
      // Asked once everything that was accepted is stored.
      state: around(state, "artifactIndex", "findIssuesMissingSourceMaps", async (uploaded) => {
        if (!isUploaded) {
          isUploaded = true;
          // Accepted, and its digest has begun.
          durable++;
          await pass.upload("rolldown");
        }
        return await state.artifactIndex.findIssuesMissingSourceMaps(uploaded);
      }),
    });
    await expect.poll(() => job.progress().doneEventCount).toBe(1);
    await isDone(job);
    await pass.store("rolldown");
    await expect.poll(() => pass.wanted()).toEqual([]);
    expect((await pass.issues()).map(({ eventCount }) => eventCount)).toEqual([2]);
  });

  test("is found when the upload comes while the server starts", async () => {
    await using pass = await PassFolder.open();
    await pass.store("rolldown");
    const { state } = pass.folder.stores;
    await pass.marker.write(await state.artifactIndex.artifactVersion());
    let askedCount = 0;
    pass.start({
      state: around(state, "artifactIndex", "artifactVersion", async () => {
        const version = await state.artifactIndex.artifactVersion();
        // Between the first two questions there is time for anything.
        if (++askedCount === 1) await pass.upload("rolldown");
        return version;
      }),
    });
    await expect.poll(() => pass.wanted()).toEqual([]);
  });

  test("is found when its map was there and not read in time, also by the next process", async () => {
    await using pass = await PassFolder.open();
    await pass.upload("rolldown");
    const { state } = pass.folder.stores;
    await pass.marker.write(await state.artifactIndex.artifactVersion());
    await pass.store("rolldown", 1, { isLate: true });
    const job = pass.start();
    await isDone(job);
    expect(job.progress().mappedEventCount).toBe(1);
    expect(await state.reprocessing.listLateIssues(10)).toEqual([]);
    await pass.store("rolldown", 1, { isLate: true });
    await expect.poll(() => job.progress().doneEventCount).toBe(2);
    await expect.poll(() => state.reprocessing.listLateIssues(10)).toEqual([]);
    expect((await pass.issues()).map(({ eventCount }) => eventCount)).toEqual([2]);
  });

  test("that comes late while its issue is looked at is looked at as well", async () => {
    await using pass = await PassFolder.open();
    await pass.upload("rolldown");
    await pass.store("rolldown", 1, { isLate: true });
    const { state } = pass.folder.stores;
    const works = pass.symbolicate;
    let isStored = false;
    pass.symbolicate = async (event, options) => {
      if (!isStored) {
        isStored = true;
        await pass.store("rolldown", 1, { isLate: true });
      }
      return await works(event, options);
    };
    const job = pass.start();
    await expect.poll(() => state.reprocessing.listLateIssues(10)).toEqual([]);
    await expect.poll(() => pass.wanted()).toEqual([]);
    expect((await pass.issues()).map(({ eventCount }) => eventCount)).toEqual([2]);
    expect(job.progress().problem).toBeNull();
    const rows = await Promise.all(
      [0, 1].map((id) => pass.folder.events.getEvent(`${id}`.padStart(32, "0"), projects(1, 2, 3))),
    );
    expect(new Set(rows.map((row) => row?.issueId)).size).toBe(1);
  });
});
