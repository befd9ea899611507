import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type DigestFolder, openDigestFolder } from "../../tests/support/digest-folder.ts";
import { createRandom } from "../domain/search/fixtures/random.ts";
import { BULK_PLACE } from "../journal/journals.ts";
import { projects } from "../stores/event-store-contract/fixture.ts";
import type { RowBatch } from "../stores/events/event-log.ts";
import { type Attempt, AttemptLog } from "./attempt-log.ts";
import { type BatchReport, DEFAULT_DIGEST_LIMITS, DigestLoop, type DigestLoopOptions } from "./digest-loop.ts";
import { type MapStage, mapOnThisThread } from "./map-stage.ts";
import { SetAsideFolder } from "./set-aside-folder.ts";

/** Real stores on a busy machine. */

type Stores = DigestLoopOptions["stores"];

/** Stands for the death of the process: whatever was going on ends here. */
class Crash extends Error {}

interface RunOptions {
  change?: (stores: Stores) => Partial<Stores>;
  limits?: Partial<DigestLoopOptions["limits"]>;
  mapStage?: MapStage;
  attempts?: readonly [AttemptLog, AttemptLog];
  onLoop?: (loop: DigestLoop) => void;
  onBatch?: (report: BatchReport, loop: DigestLoop) => void;
}

/** Digests both journals until everything is applied, or until it crashes. Gives the journal of each batch, in their order. */
async function runDigest(
  folder: DigestFolder,
  { change, limits, mapStage = mapOnThisThread(), attempts, onLoop, onBatch }: RunOptions = {},
): Promise<string[]> {
  const { journal, bulk, events, stores, paths, log } = folder;
  const real: Stores = { state: stores.state, payloads: stores.payloads, events };
  const [ofErrors, ofBulk] = attempts ?? [
    new AttemptLog(join(paths.setAside, "attempt")),
    new AttemptLog(join(paths.setAside, "attempt-1")),
  ];
  const order: string[] = [];
  const reached = new Map([
    [journal.id, 0],
    [bulk.id, BULK_PLACE.firstSequence],
  ]);
  const isDone = () => [journal, bulk].every(({ id, durable }) => (reached.get(id) ?? 0) >= durable.sequence);
  const loop = new DigestLoop({
    lanes: [
      { journalId: journal.id, journalDir: paths.journal, firstSequence: 0, attempts: ofErrors },
      {
        journalId: bulk.id,
        journalDir: join(paths.journal, BULK_PLACE.folder),
        firstSequence: BULK_PLACE.firstSequence,
        attempts: ofBulk,
      },
    ],
    stores: { ...real, ...change?.(real) },
    mapStage,
    isDataError: stores.isDataError,
    setAside: await SetAsideFolder.open(paths.setAside),
    limits: {
      ...DEFAULT_DIGEST_LIMITS,
      minIntervalMs: 0,
      minBulkIntervalMs: 0,
      minRetryMs: 1,
      maxRetryMs: 5,
      maxRecords: 3,
      ...limits,
    },
    log: {
      ...log,
      error(facts, message) {
        log.error(facts, message);
        if ("err" in facts && facts.err instanceof Crash) loop.close();
      },
    },
    onStart(positions) {
      for (const { journalId, upTo } of positions) reached.set(journalId, upTo);
      if (isDone()) loop.close();
    },
    onBatch(report) {
      order.push(report.journalId === bulk.id ? "bulk" : "errors");
      reached.set(report.journalId, report.upTo);
      onBatch?.(report, loop);
      if (isDone()) loop.close();
    },
  });
  onLoop?.(loop);
  loop.setDurable([journal.durable.sequence, bulk.durable.sequence]);
  await loop.run();
  return order;
}

/** Stores whose payloads are written after something else has happened. */
function beforePayloads(act: (call: number) => Promise<void>): (stores: Stores) => Partial<Stores> {
  let calls = 0;
  return ({ payloads }) => ({
    payloads: {
      append: async (...given) => {
        await act(++calls);
        return payloads.append(...given);
      },
    },
  });
}

/** Stores whose rows are appended after something else has happened. */
function beforeAppend(act: (batch: RowBatch) => Promise<void>): (stores: Stores) => Partial<Stores> {
  return ({ events }) => ({
    events: {
      appliedSequence: events.appliedSequence,
      appliedAhead: events.appliedAhead,
      findExisting: events.findExisting,
      append: async (batch, logged) => {
        await act(batch);
        return events.append(batch, logged);
      },
    },
  });
}

function setDurable(loop: DigestLoop | undefined, { journal, bulk }: DigestFolder): void {
  loop?.setDurable([journal.durable.sequence, bulk.durable.sequence]);
}

const nothing = Promise.resolve();

/** An item that takes its envelope to the journal of errors. */
const CHECK_IN = '{"type":"check_in"}\n{"monitor_slug":"backup","status":"ok"}\n';

const toId = (at: number) => at.toString(16).padStart(32, "a");

async function appendTransactions(folder: DigestFolder, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await folder.appendTransaction(toId(at));
}

/** Transactions that are stored. */
async function countTransactions(folder: DigestFolder): Promise<number> {
  const counts = await folder.events.countItems({ projectIds: projects(folder.projectId), from: null, to: null });
  return counts.find(({ type }) => type === "transaction")?.quantity ?? 0;
}

describe("a digest of two journals", () => {
  test("takes errors before bulk that was accepted earlier, also what comes meanwhile; each journal has its position", async () => {
    await using folder = await openDigestFolder();
    const { journal, bulk } = folder;
    await appendTransactions(folder, 30);
    for (let at = 0; at < 6; at++) await folder.appendError();
    let hasSent = false;
    const order = await runDigest(folder, {
      onBatch({ journalId }, loop) {
        if (journalId !== bulk.id || hasSent) return;
        hasSent = true;
        void folder
          .appendError({ value: "came while bulk waits" })
          .then(() => loop.setDurable([journal.durable.sequence, bulk.durable.sequence]));
      },
    });
    expect(order.slice(0, 3)).toEqual(["errors", "errors", "bulk"]);
    expect(order.filter((each) => each === "bulk")).toHaveLength(10);
    // Two batches of bulk may be ready when it comes.
    const late = order.lastIndexOf("errors");
    expect(late).toBeGreaterThan(2);
    expect(late).toBeLessThan(8);
    expect(await folder.ledger()).toMatchObject({ "error accepted": 7, "transaction accepted": 30 });
    for (const store of [folder.stores.state.batches, folder.events]) {
      expect(await store.appliedSequence(journal.id)).toBe(7);
      expect(await store.appliedSequence(bulk.id)).toBe(BULK_PLACE.firstSequence + 30);
    }
    expect(await runDigest(folder)).toEqual([]);
  });

  describe("that is past the first batch of each journal, which has none beside it", () => {
    /** An error and four transactions, the last of them in a second batch. `body`: its envelope. */
    async function openPair(folder: DigestFolder): Promise<{ body: string; isSecond(batch: RowBatch): boolean }> {
      await folder.appendError();
      await appendTransactions(folder, 3);
      const body = await folder.appendTransaction(toId(3));
      const upTo = folder.bulk.durable.sequence;
      return { body, isSecond: (batch) => batch.journalId === folder.bulk.id && batch.upTo === upTo };
    }

    test("stores errors while a batch of bulk is being stored", async () => {
      await using folder = await openDigestFolder();
      const { isSecond } = await openPair(folder);
      const isErrorStored = Promise.withResolvers<void>();
      let toLoop: DigestLoop | undefined;
      const order = await runDigest(folder, {
        onLoop: (loop) => {
          toLoop = loop;
        },
        change: beforeAppend(async (batch) => {
          if (!isSecond(batch)) return;
          await folder.appendError();
          setDurable(toLoop, folder);
          await isErrorStored.promise;
        }),
        onBatch({ journalId, upTo }) {
          if (journalId === folder.journal.id && upTo === 2) isErrorStored.resolve();
        },
      });
      expect(order).toEqual(["errors", "bulk", "errors", "bulk"]);
      expect(await folder.ledger()).toMatchObject({ "error accepted": 2, "transaction accepted": 4 });
    });

    test("takes what comes during a commit as one batch", async () => {
      await using folder = await openDigestFolder();
      await folder.appendError();
      let toLoop: DigestLoop | undefined;
      const counts: number[] = [];
      const appendErrors = async (count: number) => {
        for (let at = 0; at < count; at++) {
          await folder.appendError();
          setDurable(toLoop, folder);
          // For a batch to begin, if none waits for the commit.
          await sleep(20);
        }
      };
      await runDigest(folder, {
        onLoop: (loop) => {
          toLoop = loop;
        },
        change: beforePayloads((call) => (call === 1 ? appendErrors(1) : call === 2 ? appendErrors(3) : nothing)),
        onBatch: ({ records }) => counts.push(records),
      });
      expect(counts).toEqual([1, 1, 3]);
    });

    /**
     * Three errors, each in a batch of its own. From the second on, the event store writes nothing until it has both, as beside a checkpoint;
     * then the second may fail.
     */
    async function digestWhileHeld(folder: DigestFolder, failure?: Error): Promise<void> {
      let [loop, count]: [DigestLoop | undefined, number] = [undefined, 0];
      const haveBothCome = Promise.withResolvers<void>();
      await folder.appendError();
      await runDigest(folder, {
        onLoop: (begun) => {
          loop = begun;
        },
        change: ({ events }) => ({
          events: {
            appliedSequence: events.appliedSequence,
            appliedAhead: events.appliedAhead,
            findExisting: events.findExisting,
            append: async (batch) => {
              const place = ++count;
              if (place < 3) {
                await folder.appendError();
                setDurable(loop, folder);
              }
              if (place === 3) haveBothCome.resolve();
              if (place > 1) await haveBothCome.promise;
              if (place === 2 && failure !== undefined) throw failure;
              return events.append(batch);
            },
          },
        }),
      });
    }

    test("commits errors that come while the event store is held up", async () => {
      await using folder = await openDigestFolder();
      await digestWhileHeld(folder);
      expect(await folder.ledger()).toEqual({ "error accepted": 3 });
      expect(await folder.eventIds()).toHaveLength(3);
    });

    test("stores nothing behind a batch that the event store has not, and nothing twice", async () => {
      await using folder = await openDigestFolder();
      await digestWhileHeld(folder, new Error("IO Error: could not write file"));
      expect(await folder.ledger()).toEqual({ "error accepted": 3 });
      expect(await folder.eventIds()).toHaveLength(3);
    });

    test("stores once what comes to both at the same time", async () => {
      await using folder = await openDigestFolder();
      const { body, isSecond } = await openPair(folder);
      let toLoop: DigestLoop | undefined;
      const order = await runDigest(folder, {
        onLoop: (loop) => {
          toLoop = loop;
        },
        change: beforeAppend(async (batch) => {
          if (!isSecond(batch)) return;
          await folder.appendEnvelope(body + CHECK_IN, toId(3));
          setDurable(toLoop, folder);
          // If the other commit does not wait, it asks by then what is stored.
          await sleep(200);
        }),
      });
      expect(order).toEqual(["errors", "bulk", "bulk", "errors"]);
      expect(await countTransactions(folder)).toBe(4);
      expect(await folder.ledger()).toEqual({
        "error accepted": 1,
        "transaction accepted": 4,
        "transaction duplicate event_id_seen": 1,
        "monitor accepted": 1,
      });
    });

    test("finishes what state has begun of both before it looks at anything newer", async () => {
      await using folder = await openDigestFolder();
      const { body, isSecond } = await openPair(folder);
      const isErrorBegun = Promise.withResolvers<void>();
      let toLoop: DigestLoop | undefined;
      const begun = await runDigest(folder, {
        onLoop: (loop) => {
          toLoop = loop;
        },
        change: beforeAppend(async (batch) => {
          if (isSecond(batch)) {
            await folder.appendError();
            setDurable(toLoop, folder);
            await isErrorBegun.promise;
          } else if (batch.journalId === folder.journal.id && batch.upTo === 2) isErrorBegun.resolve();
          else return;
          throw new Crash("the process dies");
        }),
      });
      expect(begun).toEqual(["errors", "bulk"]);
      // A transaction that state has counted and that has no row yet comes again, in the journal that is read first.
      await folder.appendEnvelope(body + CHECK_IN, toId(3));
      expect(await runDigest(folder)).toEqual(["errors", "bulk", "errors"]);
      expect(await countTransactions(folder)).toBe(4);
      expect(await folder.ledger()).toEqual({
        "error accepted": 2,
        "transaction accepted": 4,
        "transaction duplicate event_id_seen": 1,
        "monitor accepted": 1,
      });
    });
  });

  for (const error of [new Crash("the process dies"), new Error("IO Error: could not write file")]) {
    test(`finishes first what state has begun: "${error.message}"`, async () => {
      await using folder = await openDigestFolder();
      const body = await folder.appendTransaction(toId(0));
      let failures = 0;
      let running: DigestLoop | undefined;
      const onLoop = (loop: DigestLoop) => {
        running = loop;
      };
      const change = ({ events }: Stores): Partial<Stores> => ({
        events: {
          appliedSequence: events.appliedSequence,
          appliedAhead: events.appliedAhead,
          findExisting: events.findExisting,
          append: async (batch) => {
            if (batch.journalId === folder.bulk.id && failures++ === 0) {
              // The same again.
              await folder.appendEnvelope(body + CHECK_IN, toId(0));
              setDurable(running, folder);
              throw error;
            }
            return events.append(batch);
          },
        },
      });
      const order = await runDigest(folder, { change, onLoop });
      order.push(...(await runDigest(folder, { change, onLoop })));
      expect(order).toEqual(["bulk", "errors"]);
      expect(await countTransactions(folder)).toBe(1);
      expect(await folder.ledger()).toEqual({
        "transaction accepted": 1,
        "transaction duplicate event_id_seen": 1,
        "monitor accepted": 1,
      });
    });
  }

  test("has one batch under way while it notes which, so that no other journal's records are blamed", async () => {
    await using folder = await openDigestFolder();
    const open = { batches: 0, attempts: 0 };
    let most = 0;
    class Watched extends AttemptLog {
      override begin(attempt: Attempt): void {
        super.begin(attempt);
        open.attempts++;
        most = Math.max(most, open.batches + 1);
      }
      override end(): void {
        super.end();
        open.attempts = 0;
      }
    }
    const stage = mapOnThisThread();
    const mapStage: MapStage = {
      width: 1,
      async *map(records, options) {
        open.batches++;
        try {
          if (open.attempts > 0) most = Math.max(most, open.batches);
          yield* stage.map(records, options);
        } finally {
          open.batches--;
        }
      },
    };
    await appendTransactions(folder, 12);
    for (let at = 0; at < 12; at++) await folder.appendError();
    const { setAside } = folder.paths;
    const paths = [join(setAside, "attempt"), join(setAside, "attempt-1")] as const;
    // A process died under records of bulk twice: they are taken one by one.
    const { firstSequence } = BULK_PLACE;
    new AttemptLog(paths[1]).begin({ from: firstSequence, upTo: firstSequence + 3, deaths: 1, isAlone: false });
    await runDigest(folder, {
      mapStage,
      attempts: [new Watched(paths[0]), new Watched(paths[1])],
      limits: { steadyAfterMs: 0 },
    });
    expect(most).toBe(1);
    expect(paths.some((path) => existsSync(path))).toBe(false);
    expect(readdirSync(setAside)).toEqual([]);
    expect(await folder.ledger()).toMatchObject({ "error accepted": 12, "transaction accepted": 12 });
  });

  test("lets bulk stand back for errors that wait, and errors for nothing", async () => {
    await using folder = await openDigestFolder();
    const { journal, bulk } = folder;
    await appendTransactions(folder, 1);
    const stage = mapOnThisThread();
    const seen: Array<boolean | undefined> = [];
    let toLoop: DigestLoop | undefined;
    const mapStage: MapStage = {
      width: 1,
      async *map(records, options) {
        if (seen.length === 0) {
          seen.push(options?.standsBack?.());
          await folder.appendError();
          toLoop?.setDurable([journal.durable.sequence, bulk.durable.sequence]);
        }
        seen.push(options?.standsBack?.());
        yield* stage.map(records, options);
      },
    };
    const order = await runDigest(folder, {
      mapStage,
      onLoop: (loop) => {
        toLoop = loop;
      },
    });
    expect(seen).toEqual([false, true, false]);
    expect(order).toHaveLength(2);
  });

  test("goes on with errors while a record of bulk that may kill waits for a process that lives", async () => {
    await using folder = await openDigestFolder();
    await appendTransactions(folder, 1);
    await folder.appendError();
    const { firstSequence } = BULK_PLACE;
    new AttemptLog(join(folder.paths.setAside, "attempt-1")).begin({
      from: firstSequence,
      upTo: firstSequence + 1,
      deaths: 0,
      isAlone: true,
    });
    const order = await runDigest(folder, {
      limits: { steadyAfterMs: 6_000_000 },
      onBatch: (_, loop) => loop.close(),
    });
    expect(order).toEqual(["errors"]);
  });
});

describe("stores that fail at any moment, and processes that die there", () => {
  /** Each time, another version of the grouping: what is read again has other keys than when it was counted. */
  function regroupedBy(run: number): MapStage {
    const stage = mapOnThisThread();
    return {
      width: 1,
      async *map(records, options) {
        for await (const part of stage.map(records, options)) {
          for (const { occurrence } of part.mapped.items)
            if (occurrence)
              occurrence.hashes = occurrence.hashes.map((hash) =>
                createHash("md5").update(`${run} ${hash}`).digest("hex"),
              );
          yield part;
        }
      },
    };
  }

  test.each([1, 2, 3, 4])("leave each error stored once, in the issue that counted it (seed %i)", async (seed) => {
    await using folder = await openDigestFolder();
    const random = createRandom(seed);
    const whole = (below: number) => Math.floor(random() * below);
    const sent = new Set<string>();
    const send = async () => {
      const eventId = toId(whole(40));
      sent.add(eventId);
      await folder.appendError({ eventId, type: `Error${whole(4)}` });
    };
    const mayFail = () => {
      if (random() > 0.15) return;
      throw random() < 0.5 ? new Crash("the process dies") : new Error("IO Error: could not write file");
    };
    let last: Promise<unknown> = Promise.resolve();
    const change = ({ events }: Stores): Partial<Stores> => ({
      events: {
        appliedSequence: events.appliedSequence,
        appliedAhead: events.appliedAhead,
        findExisting: events.findExisting,
        append: (batch) => {
          // One after the other, as in the store. As beside a checkpoint, it may take long, and the next batches begin meanwhile.
          const appended = last.then(async () => {
            await sleep(whole(40));
            mayFail();
            const result = await events.append(batch);
            mayFail();
            return result;
          });
          last = appended.catch(() => undefined);
          return appended;
        },
      },
    });
    for (let run = 0; run < 12; run++) {
      for (let count = whole(8); count > 0; count--) await send();
      await runDigest(folder, {
        change,
        mapStage: regroupedBy(run),
        limits: { maxRecords: 1 + whole(3) },
      });
    }
    await runDigest(folder, { mapStage: regroupedBy(12) });
    expect(await folder.eventIds()).toEqual([...sent].sort());
    expect((await folder.ledger())["error accepted"]).toBe(sent.size);
    const { counted, stored } = await folder.countsByIssue();
    expect(stored).toEqual(counted);
  });
});
