import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type DigestFolder, openDigestFolder } from "../../tests/support/digest-folder.ts";
import { NO_MAP_STORES } from "../../tests/support/no-map-stores.ts";
import { projects } from "../stores/event-store-contract/fixture.ts";
import { readTexts } from "../stores/events/rows.ts";
import { type Attempt, AttemptLog } from "./attempt-log.ts";
import { type BatchReport, DEFAULT_DIGEST_LIMITS, DigestLoop, type DigestLoopOptions } from "./digest-loop.ts";
import { type MapStage, mapOnThisThread } from "./map-stage.ts";
import { MapThreads } from "./map-threads.ts";
import { SetAsideFolder } from "./set-aside-folder.ts";

const threads = new MapThreads({
  width: 3,
  storesModule: NO_MAP_STORES,
  storesOptions: null,
  hasSymbolicator: false,
  groupingMoves: new Map(),
  log: { info: () => {}, warn: () => {}, error: () => {} },
  onDeath(error) {
    throw error;
  },
});
afterAll(() => threads.close());

/** With one thread, and with three. */
const STAGES: ReadonlyArray<{ width: number; mapStage: MapStage }> = [
  { width: 1, mapStage: mapOnThisThread() },
  { width: 3, mapStage: threads },
];

type Stores = DigestLoopOptions["stores"];

/** Stands for the death of the process: whatever was going on ends here. */
class Crash extends Error {}

interface RunOptions {
  attempts?: AttemptLog;
  /** Ends the digest as a stop of the server does. */
  signal?: AbortSignal;
  /** On the calling thread unless told otherwise. */
  mapStage?: MapStage;
  limits?: Partial<DigestLoopOptions["limits"]>;
  /** Changes what the stores do, as a test needs it. */
  change?: (stores: Stores) => Partial<Stores>;
}

/** Runs a new digest over the folder until everything is applied, or until it crashes. */
async function runDigest(
  folder: DigestFolder,
  { mapStage = mapOnThisThread(), limits, change, attempts, signal }: RunOptions = {},
): Promise<BatchReport[]> {
  const { journal, events, stores, paths, log } = folder;
  const real: Stores = { state: stores.state, payloads: stores.payloads, events };
  const reports: BatchReport[] = [];
  const loop = new DigestLoop({
    lanes: [
      {
        journalId: journal.id,
        journalDir: paths.journal,
        firstSequence: 0,
        attempts: attempts ?? new AttemptLog(join(paths.setAside, "attempt")),
      },
    ],
    stores: { ...real, ...change?.(real) },
    mapStage,
    isDataError: stores.isDataError,
    setAside: await SetAsideFolder.open(paths.setAside),
    limits: { ...DEFAULT_DIGEST_LIMITS, minIntervalMs: 0, minRetryMs: 1, maxRetryMs: 5, ...limits },
    log: {
      ...log,
      error(facts, message) {
        log.error(facts, message);
        if ("err" in facts && facts.err instanceof Crash) loop.close();
      },
    },
    onStart: () => {},
    onBatch(report) {
      reports.push(report);
      if (report.upTo >= journal.durable.sequence) loop.close();
    },
  });
  signal?.addEventListener("abort", () => loop.close());
  loop.setDurable([journal.durable.sequence]);
  await loop.run();
  return reports;
}

async function appendErrors(folder: DigestFolder, types: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const type of types) ids.push(await folder.appendError({ type }));
  return ids;
}

describe.each(STAGES)("the digest loop, mapping $width batches at a time", ({ mapStage }) => {
  test("stores what is in the journal, and goes on where it stopped", async () => {
    await using folder = await openDigestFolder();
    const first = await appendErrors(folder, ["TypeError", "TypeError", "RangeError"]);
    await runDigest(folder, { mapStage });
    const second = await appendErrors(folder, ["TypeError"]);
    const reports = await runDigest(folder, { mapStage });
    expect(reports.map(({ records, upTo }) => ({ records, upTo }))).toEqual([{ records: 1, upTo: 4 }]);
    expect(await folder.eventIds()).toEqual([...first, ...second].sort());
    expect(await folder.issueCounts()).toEqual({ "TypeError: x is undefined": 3, "RangeError: x is undefined": 1 });
    expect(await folder.ledger()).toEqual({ "error accepted": 4 });
  });

  test("commits many batches in their order, however many are mapped at the same time", async () => {
    await using folder = await openDigestFolder();
    const types = Array.from({ length: 120 }, (_, index) => `Type${index % 5}`);
    const ids = await appendErrors(folder, types);
    const reports = await runDigest(folder, { mapStage, limits: { maxRecords: 7 } });
    expect(reports.map(({ upTo }) => upTo)).toEqual([...Array.from({ length: 17 }, (_, at) => (at + 1) * 7), 120]);
    expect(await folder.eventIds()).toEqual(ids.sort());
    expect(Object.values(await folder.issueCounts())).toEqual([24, 24, 24, 24, 24]);
    expect(await folder.ledger()).toEqual({ "error accepted": 120 });
  });

  test("keeps what is stored of a batch as it is until it is stored, while the next ones are mapped", async () => {
    await using folder = await openDigestFolder();
    const ids = await appendErrors(
      folder,
      Array.from({ length: 60 }, () => "TypeError"),
    );
    const written: string[] = [];
    const change = ({ payloads }: Stores): Partial<Stores> => ({
      payloads: {
        async append(bytes, batch) {
          await sleep(5);
          const refs = await payloads.append(bytes, batch);
          for (const each of bytes) written.push(JSON.parse(Buffer.from(each).toString()).event.event_id);
          return refs;
        },
      },
    });
    await runDigest(folder, { mapStage, change, limits: { maxRecords: 4 } });
    expect(written).toEqual(ids);
  });

  test("tells what each batch did to issues, and which event was the project's first", async () => {
    await using folder = await openDigestFolder();
    const [firstId] = await appendErrors(folder, ["TypeError", "TypeError", "RangeError"]);
    const [report] = await runDigest(folder, { mapStage });
    expect(report?.changes.map(({ events, transition }) => ({ events, transition }))).toEqual([
      { events: 2, transition: "new" },
      { events: 1, transition: "new" },
    ]);
    expect(report?.firstEvents).toMatchObject([{ projectId: folder.projectId, eventId: firstId }]);
    expect(Object.fromEntries(report?.stored ?? [])).toEqual({ error: 3 });
    await appendErrors(folder, ["TypeError"]);
    const [next] = await runDigest(folder, { mapStage });
    expect(next?.changes).toMatchObject([{ events: 1, transition: null }]);
    expect(next?.firstEvents).toEqual([]);
  });

  test("counts an event that comes again in a later batch as a duplicate", async () => {
    await using folder = await openDigestFolder();
    const eventId = await folder.appendError();
    await folder.appendError();
    await folder.appendError({ eventId });
    await runDigest(folder, { mapStage, limits: { maxRecords: 1 } });
    await folder.appendError({ eventId });
    await runDigest(folder, { mapStage });
    expect(await folder.eventIds()).toHaveLength(2);
    expect(await folder.issueCounts()).toEqual({ "TypeError: x is undefined": 2 });
    expect(await folder.ledger()).toEqual({ "error accepted": 2, "error duplicate event_id_seen": 2 });
  });

  test("keeps what it cannot read as it came, while it reads on", async () => {
    await using folder = await openDigestFolder();
    const records = Array.from({ length: 8 }, (_, index) => Buffer.alloc(1_200_000 + index, String(index)));
    for (const record of records) await folder.journal.append([record]);
    await runDigest(folder, { mapStage, limits: { maxRecords: 1 } });
    const { setAside } = folder.paths;
    const kept = readdirSync(setAside).filter((name) => name.endsWith(".bytes"));
    const numberOf = (name: string) => Number(/-(\d+)\.bytes$/.exec(name)?.[1]);
    expect(kept.map(numberOf).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const isWhole = (name: string) => records[numberOf(name)]?.equals(readFileSync(join(setAside, name)));
    expect(kept.every(isWhole)).toBe(true);
  });

  for (const limits of [{ maxRecords: 3 }, { maxBytes: 1 }, { maxRecords: 1000 }]) {
    test(`keeps to its limits of a batch: ${JSON.stringify(limits)}`, async () => {
      await using folder = await openDigestFolder();
      await appendErrors(
        folder,
        Array.from({ length: 8 }, () => "TypeError"),
      );
      const reports = await runDigest(folder, { mapStage, limits });
      const sizes = { 3: [3, 3, 2], 1: Array.from({ length: 8 }, () => 1), 1000: [8] };
      expect(reports.map(({ records }) => records)).toEqual(sizes[Object.values(limits)[0] as keyof typeof sizes]);
    });
  }
});

const CRASHED = [
  ...STAGES.map(({ width, mapStage }) => ({ maps: `${width} batches at a time`, mapStage })),
  {
    maps: "a batch in parts of three rows",
    mapStage: mapOnThisThread(undefined, undefined, { maxRows: 3 }),
  },
];

describe.each(CRASHED)("a crash of the digest that maps $maps", ({ mapStage }) => {
  const crashes: Array<{ name: string; change: (stores: Stores, crash: () => void) => Partial<Stores> }> = [
    {
      name: "before payloads are durable",
      change: ({ payloads }, crash) => ({
        payloads: {
          append: async (...batch) => {
            crash();
            return payloads.append(...batch);
          },
        },
      }),
    },
    {
      name: "between payloads and state",
      change: ({ payloads }, crash) => ({
        payloads: {
          append: async (...batch) => {
            const refs = await payloads.append(...batch);
            crash();
            return refs;
          },
        },
      }),
    },
    {
      name: "between state and events",
      change: ({ events }, crash) => ({
        events: {
          appliedSequence: events.appliedSequence,
          appliedAhead: events.appliedAhead,
          findExisting: events.findExisting,
          append: async (batch) => {
            crash();
            return events.append(batch);
          },
        },
      }),
    },
    {
      name: "after events, before anyone knows",
      change: ({ events }, crash) => ({
        events: {
          appliedSequence: events.appliedSequence,
          appliedAhead: events.appliedAhead,
          findExisting: events.findExisting,
          append: async (batch) => {
            const result = await events.append(batch);
            crash();
            return result;
          },
        },
      }),
    },
  ];
  // The batches after the crash are cut as before, finer, or coarser.
  for (const maxRecords of [4, 3, 1000]) {
    for (const { name, change } of crashes) {
      test(`${name}, then batches of ${maxRecords}: everything is there once`, async () => {
        await using folder = await openDigestFolder();
        const types = ["A", "B", "A", "C", "B", "A", "D", "A", "C", "B", "E", "A"];
        const ids = await appendErrors(folder, types);
        await folder.appendError({ eventId: ids[5] ?? "", type: "A" });
        await folder.appendEnvelope('{}\n{"type":"check_in"}\n{"monitor_slug":"backup","status":"ok"}\n', null);

        let appendCount = 0;
        // In the second of four batches: one is stored whole, one is not, two were never begun.
        const crash = () => {
          if (++appendCount === 2) throw new Crash("the process dies");
        };
        await runDigest(folder, { mapStage, limits: { maxRecords: 4 }, change: (stores) => change(stores, crash) });
        expect(await folder.stores.state.batches.appliedSequence(folder.journal.id)).toBeLessThan(
          folder.journal.durable.sequence,
        );

        await runDigest(folder, { mapStage, limits: { maxRecords } });
        expect(await folder.eventIds()).toEqual([...ids].sort());
        const total = (type: string) => types.filter((other) => other === type).length;
        expect(await folder.issueCounts()).toEqual(
          Object.fromEntries([...new Set(types)].map((type) => [`${type}: x is undefined`, total(type)])),
        );
        expect(await folder.ledger()).toEqual({
          "error accepted": 12,
          "error duplicate event_id_seen": 1,
          "monitor accepted": 1,
        });
        expect(
          await folder.events.countItems({ projectIds: projects(folder.projectId), from: null, to: null }),
        ).toEqual([{ type: "check_in", quantity: 1 }]);
      });
    }
  }
});

describe("a record under which processes died", () => {
  /** After a process that died while it was alone with record 0, for the second time. */
  async function runAfterDeath(folder: DigestFolder, limits: Partial<DigestLoopOptions["limits"]>) {
    const begun: number[] = [];
    class Watched extends AttemptLog {
      override begin(attempt: Attempt): void {
        begun.push(attempt.deaths);
        super.begin(attempt);
      }
    }
    const attempts = new Watched(join(folder.paths.setAside, "attempt"));
    new AttemptLog(join(folder.paths.setAside, "attempt")).begin({ from: 0, upTo: 1, deaths: 0, isAlone: true });
    const ending = new AbortController();
    const run = runDigest(folder, { limits, attempts, signal: ending.signal });
    return { begun, run, end: () => ending.abort() };
  }

  test("is not looked into before the process has lived for a while: what kills it then is something else", async () => {
    await using folder = await openDigestFolder();
    await appendErrors(folder, ["A"]);
    const { begun, run, end } = await runAfterDeath(folder, { steadyAfterMs: 6_000_000 });
    await sleep(300);
    expect(begun).toEqual([]);
    end();
    // A server that is stopped does not wait for it either.
    expect(await run).toEqual([]);
  });

  test("is looked into then, and its deaths count", async () => {
    await using folder = await openDigestFolder();
    const ids = await appendErrors(folder, ["A", "B"]);
    const { begun, run } = await runAfterDeath(folder, { steadyAfterMs: 20 });
    await run;
    expect(begun).toEqual([1]);
    expect(await folder.eventIds()).toEqual(ids.sort());
  });
});

describe("stores that fail", () => {
  test("are tried again until they work, and nothing is lost, doubled or set aside", async () => {
    await using folder = await openDigestFolder();
    const ids = await appendErrors(folder, ["A", "B", "A", "B", "A"]);
    let failures = 7;
    await runDigest(folder, {
      limits: { maxRecords: 2 },
      change: ({ events, payloads }) => ({
        payloads: {
          append: async (...batch) => {
            if (failures-- > 4) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
            return payloads.append(...batch);
          },
        },
        events: {
          appliedSequence: events.appliedSequence,
          appliedAhead: events.appliedAhead,
          findExisting: events.findExisting,
          append: async (batch) => {
            if (failures-- > 0) throw new Error("IO Error: could not write file");
            return events.append(batch);
          },
        },
      }),
    });
    expect(await folder.eventIds()).toEqual([...ids].sort());
    expect(await folder.ledger()).toEqual({ "error accepted": 5 });
    expect(readdirSync(folder.paths.setAside)).toEqual([]);
  });

  function refusing(value: string): RunOptions["change"] {
    return ({ events }) => ({
      events: {
        appliedSequence: events.appliedSequence,
        appliedAhead: events.appliedAhead,
        findExisting: events.findExisting,
        append: async (batch) => {
          const titles = batch.rows.flatMap((rows) => (rows.table === "events" ? readTexts(rows, "title") : []));
          if (titles.some((title) => title?.includes(value))) throw new RangeError(`cannot store ${value}`);
          return events.append(batch);
        },
      },
    });
  }

  test("because of one record get everything else, and the record is set aside with its reason", async () => {
    await using folder = await openDigestFolder();
    const before = await appendErrors(folder, ["A", "B"]);
    await folder.appendError({ type: "Poison" });
    const after = await appendErrors(folder, ["A", "B", "C"]);
    const reports = await runDigest(folder, { change: refusing("Poison") });
    expect(await folder.eventIds()).toEqual([...before, ...after].sort());
    expect(reports.at(-1)?.setAsideCount).toBe(1);
    const [bytes = "", note = ""] = readdirSync(folder.paths.setAside).sort();
    expect(readFileSync(join(folder.paths.setAside, bytes), "utf8")).toContain("Poison");
    expect(JSON.parse(readFileSync(join(folder.paths.setAside, note), "utf8"))).toMatchObject({
      sequence: 2,
      itemIndex: null,
    });
  });

  test("whatever they are given have nothing set aside without end: the rest waits", async () => {
    await using folder = await openDigestFolder();
    await appendErrors(
      folder,
      Array.from({ length: 30 }, () => "Poison"),
    );
    let tries = 0;
    await runDigest(folder, {
      change: ({ state }) => ({
        state: {
          ...state,
          batches: {
            ...state.batches,
            applyBatch: async (batch) => {
              if (batch.occurrences.length === 0) return state.batches.applyBatch(batch);
              if (++tries > 60) throw new Crash("enough seen");
              throw new TypeError("a bug that every event meets");
            },
          },
        },
      }),
    });
    expect(readdirSync(folder.paths.setAside).filter((name) => name.endsWith(".bytes"))).toHaveLength(10);
    await runDigest(folder);
    expect(await folder.eventIds()).toHaveLength(20);
  });
});

test("a record whose bytes are no entry is set aside, and the rest goes on", async () => {
  await using folder = await openDigestFolder();
  const ids = [await folder.appendError()];
  await folder.journal.append([Buffer.from("not an entry")]);
  ids.push(await folder.appendError());
  await runDigest(folder);
  expect(await folder.eventIds()).toEqual(ids.sort());
  expect(readdirSync(folder.paths.setAside)).toHaveLength(2);
  expect(folder.logged).toContain("an item that cannot be digested is set aside");
});
