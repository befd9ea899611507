import { expect, test } from "vitest";
import { makeTraceOf, type SpanOfTest } from "../../../tests/support/make-trace.ts";
import type { SentryEvent } from "../../domain/event.ts";
import { toFindingFingerprint } from "../../domain/findings/finding.ts";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import type { TraceLog } from "../../stores/events/logs.ts";
import { assembleTimeline, type TimelineInput } from "./assemble-timeline.ts";
import type { Timeline, TimelineLane } from "./timeline.ts";

/** Spans of `makeTrace` begin in 1970. The throw is a second later. */
const THROWN_MS = 1_000;

const row = (more: Partial<EventRow> = {}): EventRow => ({
  sequence: 1,
  projectId: 1,
  issueId: 7,
  eventId: "a".repeat(32),
  occurredAt: THROWN_MS,
  receivedAt: THROWN_MS,
  level: "error",
  platform: "javascript",
  environment: null,
  release: null,
  dist: null,
  transaction: null,
  title: "TypeError: x is undefined",
  userKey: null,
  userName: null,
  traceId: "b".repeat(32),
  spanId: null,
  replayId: null,
  sdkName: null,
  isUnhandled: true,
  tags: [],
  payload: { fileId: 0, offset: 0, index: 0 },
  payloadBytes: 0,
  ...more,
});
const event = (more: Partial<SentryEvent> = {}): SentryEvent => ({
  event_id: "a".repeat(32),
  type: "error",
  timestamp: THROWN_MS / 1000,
  received: THROWN_MS / 1000,
  platform: "javascript",
  level: "error",
  ...more,
});
const log = (ms: number, more: Partial<TraceLog> = {}) =>
  ({
    projectId: 2,
    spanId: null,
    service: null,
    occurredUs: ms * 1000,
    shiftUs: null,
    severity: 9,
    body: `at ${ms}`,
    logger: null,
    ...more,
  }) as TraceLog;

function assemble({
  spans = [],
  ...more
}: Partial<Omit<TimelineInput, "spans">> & { spans?: SpanOfTest[] } = {}): Timeline {
  const own = more.row ?? row();
  return assembleTimeline({
    row: own,
    event: event(),
    isDamaged: false,
    spans: makeTraceOf(spans).spans,
    logs: [],
    errors: [own],
    items: [],
    deploys: [],
    ledger: [],
    slugs: new Map([
      [1, "web-shop"],
      [2, "api"],
    ]),
    retention: { days: 90, signalDays: toCutoffs(() => 90) },
    leftOut: [],
    isAsSent: false,
    now: THROWN_MS,
    ...more,
  });
}

const lane = ({ lanes }: Timeline, id: string) => lanes.find((each) => each.id === id) as TimelineLane;
const places = ({ items }: TimelineLane) =>
  items.map(({ fromUs, toUs }) => [fromUs / 1000, toUs === null ? null : toUs / 1000]);

/** A click, its request, the server's answer with a query: all within the second before the throw. */
const CHECKOUT: SpanOfTest[] = [
  [1, 0, 0, 1_000, { op: "ui.action.click", name: "Pay", service: "web-shop" }],
  [2, 1, 100, 800, { op: "http.client", name: "POST /pay", service: "web-shop", httpStatus: 502 }],
  [3, 2, 150, 700, { op: "http.server", name: "POST /pay", service: "api", projectId: 2, httpStatus: 502 }],
  [4, 3, 200, 600, { op: "db.query", name: "SELECT 1", service: "api", projectId: 2, status: "cancelled" }],
];

test("lanes stand in the order of what caused what, and count from the throw", () => {
  const timeline = assemble({ spans: CHECKOUT });
  expect(timeline.lanes.map(({ id }) => id)).toEqual([
    "deploys",
    "user",
    "browser web-shop · browser",
    "network",
    "service api",
    "queries",
    "logs",
    "errors",
    "replay",
  ]);
  expect(places(lane(timeline, "browser web-shop · browser"))).toEqual([[-1_000, 0]]);
  expect(places(lane(timeline, "errors"))).toEqual([[0, null]]);
  expect(timeline.trace).toEqual({ fromUs: -1_000_000, toUs: 0 });
});

test("a request stands above its answer, with the time on the way between them", () => {
  const [request, answer] = lane(assemble({ spans: CHECKOUT }), "network").items;
  expect([request?.row, answer?.row]).toEqual([0, 1]);
  expect(answer?.wire).toEqual([50_000, 50_000]);
});

test("what failed before the throw is told in its order, and the throw comes last", () => {
  const other = row({ eventId: "c".repeat(32), projectId: 2, platform: "node", title: "Refused: no", occurredAt: 870 });
  const timeline = assemble({ spans: CHECKOUT, errors: [other, row()] });
  expect(timeline.causes.map(({ name, words }) => `${name} ${words}`)).toEqual([
    "SELECT 1 cancelled after 600 ms",
    "api 502 after 700 ms",
    "Refused api",
    "TypeError x is undefined",
  ]);
});

test("a server's clock that is ahead moves its spans, logs and errors, and is told", () => {
  const ahead = 5_000;
  const spans = CHECKOUT.map(
    ([id, parent, start, ...rest]): SpanOfTest =>
      id < 3 ? [id, parent, start, ...rest] : [id, parent, start + ahead, ...rest],
  );
  const other = row({ eventId: "c".repeat(32), projectId: 2, platform: "node", occurredAt: 870 + ahead });
  const input = { spans, logs: [log(300 + ahead)], errors: [other, row()] };
  const timeline = assemble(input);
  expect(timeline.skews).toMatchObject([{ service: "api", aheadUs: ahead * 1000 }]);
  expect(places(lane(timeline, "service api"))).toEqual([[-850, -150]]);
  expect(places(lane(timeline, "logs"))).toEqual([[-700, null]]);
  expect(places(lane(timeline, "errors"))).toEqual([
    [-130, null],
    [0, null],
  ]);
  const asSent = assemble({ ...input, isAsSent: true });
  expect(places(lane(asSent, "logs"))).toEqual([[4_300, null]]);
  expect(lane(asSent, "network").items.every(({ wire }) => wire === undefined)).toBe(true);
});

test("an error of a server that is behind counts all of it from its own throw", () => {
  const spans = CHECKOUT.map(
    ([id, parent, start, ...rest]): SpanOfTest =>
      id < 3 ? [id, parent, start, ...rest] : [id, parent, start - 5_000, ...rest],
  );
  const own = row({ projectId: 2, platform: "node", spanId: "0000000000000004", occurredAt: 800 - 5_000 });
  const timeline = assemble({ spans, row: own, event: null, errors: [own] });
  expect(places(lane(timeline, "queries"))).toEqual([[-600, 0]]);
  expect(places(lane(timeline, "browser web-shop · browser"))).toEqual([[-800, 200]]);
});

test("breadcrumbs are what the user did, and the rest", () => {
  const crumb = (ms: number, category: string, more = {}) => ({
    timestamp: ms / 1000,
    type: "default",
    level: "info",
    category,
    ...more,
  });
  const values = [
    crumb(400, "ui.click", { message: "button#pay" }),
    crumb(500, "fetch", { data: { url: "/pay", method: "POST", status_code: 502 } }),
    { type: "default", level: "info", message: "without a time" },
  ];
  const timeline = assemble({ event: event({ breadcrumbs: { values } }) });
  expect(lane(timeline, "user").items.map(({ label }) => label)).toEqual(["button#pay"]);
  expect(lane(timeline, "crumbs").items.map(({ label, isFailed }) => [label, isFailed])).toEqual([
    ["POST /pay 502", true],
  ]);
  expect(places(lane(timeline, "user"))).toEqual([[-600, null]]);

  const untimed = assemble({ event: event({ breadcrumbs: { values: values.slice(2) } }) });
  expect(lane(untimed, "user").state).toEqual({
    kind: "nothing",
    words: "The breadcrumb has no time: see it below the stack.",
  });
});

const state = (timeline: Timeline, id: string) => lane(timeline, id).state;
const sum = (
  outcome: "accepted" | "client_discard" | "rate_limited",
  reason: string,
  category: string,
  quantity: number,
) => ({
  projectId: 1,
  outcome,
  reason,
  category,
  quantity,
});

test("no option of an SDK is named where Culprit found something out itself", () => {
  const found = event({ fingerprint: toFindingFingerprint("cron 2 production") });
  const timeline = assemble({ event: found, row: row({ platform: "other", traceId: null }) });
  for (const id of ["crumbs", "spans", "logs"])
    expect(state(timeline, id)).toEqual({ kind: "nothing", words: expect.any(String) });

  const traced = assemble({ event: found, row: row({ platform: "other" }) });
  for (const id of ["spans", "logs"]) expect(state(traced, id)).toEqual({ kind: "not-sent", words: "None came." });
});

test("where lines came and the error names no trace, the lane says that they cannot be found", () => {
  const ledger = [sum("accepted", "", "log_item", 3)];
  const words = (traceId: string | null) => state(assemble({ row: row({ traceId }), ledger }), "logs");
  expect(words(null)).toMatchObject({ kind: "nothing", words: expect.stringContaining("names no trace") });
  expect(words("a".repeat(32))).toMatchObject({ kind: "nothing", words: "Nothing was logged in this trace." });
});

test("an empty lane names the option of the SDK that would have filled it", () => {
  const python = row({ platform: "python", traceId: null });
  const timeline = assemble({ row: python, event: event({ platform: "python" }) });
  expect(state(timeline, "spans")).toMatchObject({ kind: "not-sent", option: "traces_sample_rate=1.0" });
  expect(state(timeline, "logs")).toMatchObject({ kind: "not-sent", option: "enable_logs=True" });
  expect(state(timeline, "replay")).toMatchObject({ kind: "nothing" });
  // Its option EnableLogs is gone since version 0.49.
  const ofGo = assemble({ row: row({ platform: "go", traceId: null }), event: event({ platform: "go" }) });
  expect(state(ofGo, "logs")).toMatchObject({ option: "sentryslog.Option{}.NewSentryHandler(ctx)" });
  expect(state(assemble(), "replay")).toMatchObject({ kind: "not-sent", option: "replaysOnErrorSampleRate: 1.0" });
});

test("the ledger tells what was sampled out and what was dropped", () => {
  const ledger = [
    sum("accepted", "", "transaction", 10),
    sum("client_discard", "sample_rate", "transaction", 90),
    sum("rate_limited", "key_quota", "log_item", 41),
    { ...sum("rate_limited", "key_quota", "replay", 5), projectId: 2 },
  ];
  const timeline = assemble({ ledger });
  expect(state(timeline, "spans")).toMatchObject({
    kind: "sampled-out",
    words: "Sampled out: in this hour the SDK kept 10 of 100.",
  });
  expect(state(timeline, "logs")).toMatchObject({
    kind: "dropped",
    href: "/arrived?project=web-shop&category=log_item",
  });
  expect(state(timeline, "replay")).toMatchObject({ kind: "not-sent" });
  const withLogs = assemble({ ledger, logs: [log(900)] });
  expect(state(withLogs, "logs")).toEqual({ kind: "present" });
  expect(lane(withLogs, "logs").loss?.words).toBe(
    "41 log lines of this hour dropped: a rate limit (over the limit of its DSN key).",
  );
  const one = ledger.map((sum) => (sum.category === "log_item" ? { ...sum, quantity: 1 } : sum));
  expect(lane(assemble({ ledger: one, logs: [log(900)] }), "logs").loss?.words).toMatch(/^1 log line of this hour /);
});

test("what is older than it is kept has expired, and damaged details say so", () => {
  const timeline = assemble({ now: THROWN_MS + 91 * DAY_MS, event: null });
  expect(state(timeline, "spans")).toMatchObject({ kind: "expired", words: "Expired: spans are kept for 90 days." });
  expect(state(timeline, "user")).toMatchObject({ kind: "expired" });
  expect(state(assemble({ event: null, isDamaged: true }), "user")).toMatchObject({ kind: "damaged" });
});

test("a recorded replay has its place", () => {
  expect(state(assemble({ row: row({ replayId: "d".repeat(32) }) }), "replay")).toMatchObject({ kind: "not-kept" });
});

test("of many spans those that failed or took longest are drawn, and all are counted", () => {
  const many = Array.from({ length: 500 }, (_, at): SpanOfTest => [at + 10, 0, at, 1 + (at % 7), { service: "api" }]);
  const failed: SpanOfTest = [1, 0, 3, 0, { service: "api", status: "aborted" }];
  const { items, total } = lane(assemble({ spans: [...many, failed] }), "service api");
  expect([items.length, total]).toEqual([200, 501]);
  expect(items.some(({ isFailed }) => isFailed)).toBe(true);
});

test("of many services those with failures and most work have lanes of their own", () => {
  const spans = Array.from({ length: 20 }, (_, at): SpanOfTest => [at + 1, 0, at, 20 - at, { service: `s${at}` }]);
  spans[19] = [20, 0, 19, 0, { service: "s19", status: "aborted" }];
  const services = assemble({ spans }).lanes.filter(({ kind }) => kind === "service");
  expect(services).toHaveLength(8);
  expect(services.map(({ service }) => service)).toContain("s19");
  expect(services.find(({ service }) => service === null)).toMatchObject({ name: "13 more services", total: 13 });
});

test("a sender whose clock was far off is told of", () => {
  const errors = [
    { type: "clock_drift", name: "timestamp", sdk_time: "2026-01-01T10:00:00Z", server_time: "2026-01-01T12:00:00Z" },
  ];
  const { corrections } = assemble({ event: event({ errors }), logs: [log(1, { shiftUs: 7_200_000_000 })] });
  expect(corrections).toEqual([
    "The clock of the error's SDK was 2 h behind when it sent it. The error and its breadcrumbs were moved by that.",
    "One log line was moved when they arrived: the clock of their sender was 2 h behind.",
  ]);
});
