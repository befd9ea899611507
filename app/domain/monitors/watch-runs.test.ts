import { describe, expect, test } from "vitest";
import type { Finding } from "../findings/finding.ts";
import type { CheckIn, MonitorConfig, Run } from "../monitor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time.ts";
import { listDue } from "./schedule.ts";
import { type Downtime, MAX_OPEN_RUNS, MAX_STEPS, RunWatcher, type Watch } from "./watch-runs.ts";

const NEW_WATCH: Watch = {
  nextDueAt: null,
  failures: 0,
  successes: 0,
  troubleAt: null,
  toldAt: 0,
  state: "waiting",
};

const CONFIG: MonitorConfig = {
  schedule: { type: "crontab", value: "0 * * * *" },
  checkinMargin: 5,
  maxRuntime: 20,
  timezone: "UTC",
  failureIssueThreshold: null,
  recoveryThreshold: null,
};
const START = Date.UTC(2026, 4, 20, 12);
const at = (minutes: number) => START + minutes * MINUTE_MS;

/** An environment whose state is kept between steps, as a store keeps it. */
class Kept {
  watch: Watch = NEW_WATCH;
  runs: Run[] = [];
  findings: Finding[] = [];
  checkAt: number | null = null;
  config: MonitorConfig;
  options: { isMuted?: boolean; isPaused?: boolean; downtimes?: Downtime[] };

  constructor(change: Partial<MonitorConfig> = {}, options: Kept["options"] = {}) {
    this.config = { ...CONFIG, ...change };
    this.options = options;
  }

  step(work: (watcher: RunWatcher) => void): this {
    const watcher = new RunWatcher({
      monitor: { id: 1, projectId: 1, slug: "nightly", environment: "production" },
      config: this.config,
      isMuted: false,
      isPaused: false,
      downtimes: [],
      ...this.options,
      watch: this.watch,
      runs: this.runs.filter(
        (run, index) => run.status === "in_progress" || run.checkInId !== null || index === this.runs.length - 1,
      ),
    });
    work(watcher);
    const result = watcher.result();
    this.watch = result.watch;
    this.checkAt = result.checkAt;
    this.findings.push(...result.findings);
    for (const run of result.runs) {
      if (run.id === null) this.runs.push({ ...run, id: this.runs.length });
      else this.runs[run.id] = run;
    }
    return this;
  }

  ping(minutes: number, change: Partial<CheckIn> = {}): this {
    return this.step((watcher) =>
      watcher.checkIn(
        {
          slug: "nightly",
          environment: "production",
          status: "ok",
          config: null,
          checkInId: null,
          durationMs: null,
          release: null,
          traceId: null,
          exitStatus: null,
          output: null,
          ...change,
        },
        at(minutes),
      ),
    );
  }

  advance(minutes: number): this {
    return this.step((watcher) => watcher.advance(at(minutes)));
  }

  said(): string[] {
    return this.runs.map(({ status, isLate }) => (isLate ? `late ${status}` : status));
  }

  told(): string[] {
    return this.findings.map((finding) => (finding.kind === "trouble" ? finding.message : finding.reason));
  }
}

const begin = (id: string) => ({ status: "in_progress", checkInId: id.repeat(32) }) as const;
const end = (id: string, status: "ok" | "error" = "ok") => ({ status, checkInId: id.repeat(32) }) as const;

describe("a run that is due", () => {
  test("is missed once its margin is over, and only then", () => {
    const kept = new Kept().ping(0);
    expect(kept.watch.nextDueAt).toBe(at(60));
    expect(kept.checkAt).toBe(at(65));
    expect(kept.runs[0]).toMatchObject({ status: "ok", dueAt: at(0) });
    kept.step((watcher) => watcher.advance(at(65) - 1));
    expect(kept.said()).toEqual(["ok"]);
    kept.advance(65);
    expect(kept.said()).toEqual(["ok", "missed"]);
    expect(kept.runs[1]).toMatchObject({ dueAt: at(60), startedAt: at(60), endedAt: null });
    expect(kept.told()).toEqual(["nightly did not run"]);
    expect(kept.watch).toMatchObject({ state: "missed", troubleAt: at(65), nextDueAt: at(120) });
  });

  test("may come within its margin, before and after", () => {
    const kept = new Kept().ping(0).ping(56).advance(110).ping(124);
    expect(kept.runs.map(({ dueAt }) => dueAt)).toEqual([at(0), at(60), at(120)]);
    expect(kept.said()).toEqual(["ok", "ok", "ok"]);
  });

  test("is late after its margin, takes the place of the missed one, and ends the trouble", () => {
    const kept = new Kept().ping(0).advance(70).ping(80);
    expect(kept.said()).toEqual(["ok", "late ok"]);
    expect(kept.runs[1]).toMatchObject({ dueAt: at(60), startedAt: at(80) });
    expect(kept.told()).toEqual(["nightly did not run", "the job ran again"]);
    expect(kept.watch.state).toBe("late");
  });

  test("is not answered by what comes hours too early", () => {
    const daily = new Kept({ schedule: { type: "crontab", value: "0 12 * * *" } }).ping(0);
    daily
      .ping(17 * 60)
      .advance(25 * 60)
      .ping(24 * 60 + 17 * 60);
    expect(daily.said()).toEqual(["ok", "ok", "missed", "ok"]);
    expect(daily.runs.map(({ dueAt }) => dueAt)).toEqual([at(0), null, at(24 * 60), null]);
  });

  test("of an interval counts from the last check-in", () => {
    const kept = new Kept({ schedule: { type: "interval", value: 10, unit: "minute" } });
    kept.ping(0).ping(3);
    expect(kept.watch.nextDueAt).toBe(at(13));
    expect(kept.advance(18).said()).toEqual(["ok", "ok", "missed"]);
  });

  test("is unknown when Culprit was down", () => {
    const kept = new Kept({}, { downtimes: [{ from: at(63), to: at(200) }] }).ping(0).advance(305);
    expect(kept.said()).toEqual(["ok", "unknown", "unknown", "unknown", "missed", "missed"]);
    expect(kept.told()).toEqual(["nightly did not run"]);
  });

  test("is not expected while paused, and waited for again afterwards", () => {
    const kept = new Kept().ping(0);
    kept.options = { isPaused: true };
    kept.step((watcher) => watcher.plan(at(10)));
    expect(kept.checkAt).toBeNull();
    kept.advance(1000).ping(1001);
    kept.options = {};
    kept.step((watcher) => watcher.plan(at(1010)));
    expect(kept.watch.nextDueAt).toBe(at(1020));
    expect(kept.said()).toEqual(["ok", "ok"]);
  });
});

describe("a run", () => {
  test("that takes too long is timed out, and may still end", () => {
    const kept = new Kept().ping(0, begin("a"));
    expect(kept.checkAt).toBe(at(20));
    kept.advance(20);
    expect(kept.runs[0]).toMatchObject({ status: "timeout", endedAt: at(20), durationMs: 20 * MINUTE_MS });
    expect(kept.told()).toEqual(["nightly did not end within 20 minutes"]);
    kept.ping(31, end("a"));
    expect(kept.runs[0]).toMatchObject({ status: "ok", durationMs: 31 * MINUTE_MS });
    expect(kept.told()).toHaveLength(2);
  });

  test("that had to end while Culprit was down is unknown", () => {
    const kept = new Kept({}, { downtimes: [{ from: at(5), to: at(10) }] }).ping(0, begin("a")).advance(30);
    expect(kept.said()).toEqual(["unknown"]);
    expect(kept.told()).toEqual([]);
  });

  test("that has ended is not opened again", () => {
    const kept = new Kept().ping(0, begin("a")).ping(1, end("a")).ping(2, end("a", "error")).ping(3, begin("a"));
    expect(kept.said()).toEqual(["ok"]);
    expect(kept.runs[0]?.durationMs).toBe(MINUTE_MS);
  });

  test("may overlap with another, and each has its own end", () => {
    const kept = new Kept().ping(0, begin("a")).ping(2, begin("b")).ping(3, end("a", "error")).ping(5, end("b"));
    expect(kept.runs.map(({ status, durationMs }) => [status, durationMs])).toEqual([
      ["error", 3 * MINUTE_MS],
      ["ok", 3 * MINUTE_MS],
    ]);
  });

  test("without an id is the newest in progress", () => {
    const kept = new Kept().ping(0, begin("a")).ping(1, begin("b")).ping(2, { status: "ok" });
    expect(kept.said()).toEqual(["in_progress", "ok"]);
    kept.ping(3, { status: "error", exitStatus: 2, output: "no space", durationMs: 1000 });
    expect(kept.runs[0]).toMatchObject({ status: "error", exitStatus: 2, output: "no space", durationMs: 1000 });
  });

  test("that is told at its end alone has no duration, unless that is told, too", () => {
    const kept = new Kept().ping(0).ping(60, { durationMs: 5_000 });
    expect(kept.runs.map(({ durationMs }) => durationMs)).toEqual([null, 5_000]);
  });

  test("that is sent at its end began before, by its duration", () => {
    const kept = new Kept().ping(0).ping(70, { durationMs: 9 * MINUTE_MS });
    // Time is looked at before the check-in is: it was missed, and came late.
    expect(kept.runs[1]).toMatchObject({ startedAt: at(61), isLate: true });
  });

  test("that never ends does not gather without end", () => {
    const kept = new Kept({ maxRuntime: 40_320 });
    for (let index = 0; index < MAX_OPEN_RUNS + 2; index++) kept.ping(0, { status: "in_progress" });
    expect(kept.said().filter((status) => status === "in_progress")).toHaveLength(MAX_OPEN_RUNS);
  });
});

describe("an issue", () => {
  test("opens after so many failures, and ends after so many runs", () => {
    const kept = new Kept({ failureIssueThreshold: 3, recoveryThreshold: 2 }).ping(0);
    kept.advance(65).ping(120, { status: "error" });
    expect(kept.told()).toEqual([]);
    kept.advance(185);
    expect(kept.told()).toEqual(["nightly did not run"]);
    kept.ping(240).advance(305).ping(360);
    expect(kept.told()).toHaveLength(1);
    kept.ping(420);
    expect(kept.told()).toEqual(["nightly did not run", "the job ran again"]);
  });

  test("of a muted monitor is none, until it fails again without being muted", () => {
    const kept = new Kept({}, { isMuted: true }).ping(0).advance(65);
    expect(kept.told()).toEqual([]);
    kept.options = {};
    expect(kept.advance(125).told()).toEqual(["nightly did not run"]);
  });
});

test("a monitor that was not looked at for long takes a bounded number of steps", () => {
  const kept = new Kept({ schedule: { type: "crontab", value: "* * * * *" } }).ping(0).advance(100_000);
  expect(kept.runs.length).toBe(MAX_STEPS + 1);
  expect(kept.watch.nextDueAt).toBe(at(100_001));
});

/** The same numbers for the same seed. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const SCHEDULES: MonitorConfig["schedule"][] = [
  { type: "crontab", value: "*/7 * * * *" },
  { type: "crontab", value: "30 2 * * *" },
  { type: "crontab", value: "0 9 * * 1-5" },
  { type: "interval", value: 3, unit: "hour" },
];

describe.each(Array.from({ length: 16 }, (_, seed) => seed))("whatever happens (%i)", (seed) => {
  const random = makeRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const schedule = pick(SCHEDULES);
  const timezone = pick(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]);
  // Over a clock change of each of these zones, now and then.
  const first = pick([Date.UTC(2026, 2, 27), Date.UTC(2026, 9, 23), Date.UTC(2026, 2, 6), START]) - START;
  const config = { schedule, timezone, checkinMargin: pick([1, 5]), failureIssueThreshold: pick([1, 3]) };

  test("time in one step is time in many, and what is due is a run exactly once", () => {
    const many = new Kept(config).ping(first / MINUTE_MS);
    const one = new Kept(config).ping(first / MINUTE_MS);
    const until = first + Math.min(2 * DAY_MS, MAX_STEPS * 6 * MINUTE_MS);
    for (let passed = first; passed < until; passed += random() * 5 * HOUR_MS) many.advance(passed / MINUTE_MS);
    many.advance(until / MINUTE_MS);
    one.advance(until / MINUTE_MS);
    expect(many).toEqual(one);
    if (schedule.type === "crontab") {
      const margin = config.checkinMargin * MINUTE_MS;
      const due = listDue({ schedule, timezone }, START + first, MAX_STEPS).filter(
        (each) => each + margin <= START + until,
      );
      expect(one.runs.slice(1).map(({ dueAt }) => dueAt)).toEqual(due);
    }
  });

  test("troubles and recoveries take turns, no due time has two runs, and open runs end", () => {
    const kept = new Kept({ ...config, maxRuntime: 10 });
    let now = first;
    for (let step = 0; step < 120; step++) {
      now += random() * 2 * HOUR_MS;
      const minutes = now / MINUTE_MS;
      const action = random();
      const id = pick(["a", "b", "c", "d"]);
      if (action < 0.3) kept.advance(minutes);
      // Now and then one that was read late.
      else if (action < 0.4) kept.ping(minutes - random() * 30, { status: pick(["ok", "error"]) });
      else if (action < 0.7) kept.ping(minutes, begin(id));
      else kept.ping(minutes, pick([end(id), end(id, "error"), { status: "ok" }]));
    }
    const kinds = kept.findings.map(({ kind }) => kind);
    expect(kinds).toEqual(kinds.map((_, index) => (index % 2 === 0 ? "trouble" : "recovery")));
    kept.advance(now / MINUTE_MS + 11);
    expect(kept.said()).not.toContain("in_progress");
    const due = kept.runs.flatMap(({ dueAt }) => dueAt ?? []);
    if (schedule.type === "crontab") expect(new Set(due).size).toBe(due.length);
    const troubles = kept.findings.map((finding) => finding.at);
    expect(troubles).toEqual([...troubles].sort((a, b) => a - b));
  });
});
