import type { SentryEvent } from "../../domain/event.ts";
import { isFindingEvent } from "../../domain/findings/finding.ts";
import type { Deploy } from "../../domain/release.ts";
import type { Retention } from "../../domain/storage/retention.ts";
import { nameBrowserServices, toBrowserService } from "../../domain/timeline/browser-spans.ts";
import { alignClocks, estimateClockSkew } from "../../domain/traces/clock-skew.ts";
import { kindOf, type TraceSpans } from "../../domain/traces/trace-spans.ts";
import { growTraceTree, type TraceTree } from "../../domain/traces/trace-tree.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import type { ItemRow } from "../../stores/events/items.ts";
import type { TraceLog } from "../../stores/events/logs.ts";
import { describeCorrections } from "./clock-corrections.ts";
import { listCrumbLanes } from "./crumb-lanes.ts";
import { DEFAULT_WINDOW } from "./default-window.ts";
import { listCauses } from "./list-causes.ts";
import { listDeploys, listErrorLane, listFileLane, listLogLane, toReplayLane } from "./mark-lanes.ts";
import { describeLoss, explainMissing, type LedgerSums, toDays, type WhyMissing } from "./missing-lanes.ts";
import { toSdkOptions } from "./sdk-options.ts";
import { listSpanLanes } from "./span-lanes.ts";
import { LANE_KINDS, type LaneState, type Timeline, type TimelineLane, type TimeRange } from "./timeline.ts";

/** The data that was read around an error. */
export interface TimelineInput {
  row: EventRow;
  /** Null: its details are no longer stored, or cannot be read. */
  event: SentryEvent | null;
  isDamaged: boolean;
  spans: TraceSpans;
  logs: readonly TraceLog[];
  errors: readonly EventRow[];
  items: readonly ItemRow[];
  deploys: ReadonlyArray<Deploy & { version: string }>;
  ledger: LedgerSums;
  slugs: ReadonlyMap<number, string>;
  retention: Retention;
  leftOut: string[];
  isAsSent: boolean;
  now: number;
}

export function assembleTimeline(input: TimelineInput): Timeline {
  const { row, event, slugs, isAsSent } = input;
  const slugOf = (projectId: number) => slugs.get(projectId) ?? `project ${projectId}`;
  const named = nameBrowserServices(growTraceTree(nameServices(input.spans, slugOf)));
  const skews = estimateClockSkew(named.tree);
  const isAligned = skews.length > 0 && !isAsSent;
  const tree = isAligned ? growTraceTree(alignClocks(named.tree.spans, skews)) : named.tree;
  const ahead = new Map(isAligned ? skews.map(({ service, aheadUs }) => [service, aheadUs]) : []);
  const aheadOf = (service: string | null) => (service === null ? 0 : (ahead.get(service) ?? 0));

  const findService = createServiceFinder(tree, named.browsers, slugOf);
  const isBrowser = row.platform === "javascript";
  const ownService = findService({ ...row, isBrowser });
  const thrownUs = event === null ? row.occurredAt * 1000 : Math.round(event.timestamp * 1e6);
  const originUs = thrownUs - aheadOf(ownService);
  const toOwnUs = (us: number) => us - aheadOf(ownService) - originUs;
  const serviceOfLog = (log: TraceLog) => findService({ ...log, isBrowser: false });
  const serviceOfError = (error: EventRow) => findService({ ...error, isBrowser: error.platform === "javascript" });

  const why = toReasons(input, slugOf(row.projectId));
  const options = toSdkOptions(row.platform);
  const isFinding = event !== null && isFindingEvent(event);
  const spanLanes = listSpanLanes({ tree, browsers: named.browsers, traceId: row.traceId ?? "", originUs });
  addLosses(spanLanes, tree, why);
  const files = listFileLane(input.items, toOwnUs);
  const lanes = [
    listDeploys(input.deploys, (us) => us - originUs),
    ...listCrumbLanes({
      crumbs: event?.breadcrumbs?.values ?? [],
      isBrowser,
      missing: explainCrumbs(input),
      toRelativeUs: toOwnUs,
      service: ownService,
    }),
    ...spanLanes,
    ...(spanLanes.length > 0
      ? []
      : [
          toEmptySpanLane(row, {
            ...why,
            keptDays: input.retention.signalDays.spans,
            option: options.tracing,
            isFinding,
          }),
        ]),
    listLogLane(input.logs, {
      traceId: row.traceId,
      toRelativeUs: (log) => log.occurredUs - aheadOf(serviceOfLog(log)) - originUs,
      serviceOf: serviceOfLog,
      missing:
        isFinding && row.traceId === null
          ? { kind: "nothing", words: "Lines are found by a trace." }
          : explainMissing({
              ...why,
              ...LOGS,
              ...(row.traceId === null && { nothing: "The error names no trace, by which lines would be found." }),
              keptDays: input.retention.signalDays.logs,
              option: isFinding ? null : options.logs,
            }),
      loss: describeLoss({ ...why, ...LOGS }),
    }),
    listErrorLane(input.errors, {
      eventId: row.eventId,
      toRelativeUs: (error) => error.occurredAt * 1000 - aheadOf(serviceOfError(error)) - originUs,
      serviceOf: serviceOfError,
      slugOf,
    }),
    ...(files ? [files] : []),
    toReplayLane(
      row.replayId,
      isBrowser
        ? explainMissing({ ...why, ...REPLAYS, keptDays: input.retention.signalDays.replays, option: options.replay })
        : { kind: "nothing", words: "Only SDKs of browsers record replays." },
    ),
  ].sort((a, b) => LANE_KINDS.indexOf(a.kind) - LANE_KINDS.indexOf(b.kind));
  return {
    lanes,
    whole: findWhole(lanes),
    trace: tree.spans.count === 0 ? null : { fromUs: tree.startedUs - originUs, toUs: tree.endedUs - originUs },
    originUs,
    skews,
    corrections: describeCorrections(event, input.logs),
    isAsSent,
    ...listCauses(lanes),
    leftOut: input.leftOut,
  };
}

const SPANS = {
  thing: "span",
  categories: ["span", "transaction"],
  nothing: "Other spans of this hour are here; this trace was not kept by its SDK.",
} as const;
const LOGS = {
  thing: "log line",
  categories: ["log_item"],
  nothing: "Nothing was logged in this trace.",
} as const;
const REPLAYS = {
  thing: "replay",
  categories: ["replay"],
  nothing: "Other sessions of this hour were recorded; this one was not.",
} as const;

type CommonReasons = Omit<WhyMissing, "thing" | "categories" | "nothing" | "keptDays" | "option">;

function toReasons({ row, ledger, now }: TimelineInput, projectSlug: string): CommonReasons {
  return { ledger, projectId: row.projectId, projectSlug, occurredAt: row.occurredAt, now };
}

/** A program that does not name its service is named after its project. */
function nameServices(spans: TraceSpans, slugOf: (projectId: number) => string): TraceSpans {
  const kinds = spans.kinds.map((kind) => (kind.service === "" ? { ...kind, service: slugOf(kind.projectId) } : kind));
  return { ...spans, kinds };
}

interface Placed {
  spanId: string | null;
  projectId: number;
  service?: string | null;
  isBrowser: boolean;
}

/** Finds the service that sent something, whose clock its time is by: through its span, otherwise from its own data. */
function createServiceFinder(tree: TraceTree, browsers: ReadonlySet<string>, slugOf: (projectId: number) => string) {
  const { spans } = tree;
  const bySpan = new Map<bigint, string>();
  const byProject = new Map<number, Set<string>>();
  for (const index of tree.order) {
    const { service, projectId } = kindOf(spans, index);
    bySpan.set(spans.ids[index] as bigint, service);
    byProject.set(projectId, (byProject.get(projectId) ?? new Set()).add(service));
  }
  return ({ spanId, projectId, service, isBrowser }: Placed): string | null => {
    const bySpanId = spanId === null ? undefined : bySpan.get(BigInt(`0x${spanId}`));
    if (bySpanId !== undefined) return bySpanId;
    const known = [...(byProject.get(projectId) ?? [])];
    const name = service || slugOf(projectId);
    const wanted = isBrowser ? toBrowserService(name) : name;
    if (known.includes(wanted)) return wanted;
    const likely = known.filter((each) => browsers.has(each) === isBrowser);
    return likely[0] ?? known[0] ?? null;
  };
}

function explainCrumbs({ event, isDamaged, retention }: TimelineInput): Exclude<LaneState, { kind: "present" }> {
  if (event !== null) {
    const count = event.breadcrumbs?.values?.length ?? 0;
    if (count === 0) {
      const words = isFindingEvent(event)
        ? "SDKs note them. No SDK sent this: Culprit found it out itself."
        : "The SDK noted none before the throw.";
      return { kind: "nothing", words };
    }
    // The lane is empty although the event has breadcrumbs.
    const words =
      count === 1
        ? "The breadcrumb has no time: see it below the stack."
        : `The ${count} breadcrumbs have no time: see them below the stack.`;
    return { kind: "nothing", words };
  }
  return isDamaged
    ? { kind: "damaged", words: "The details of the error are damaged." }
    : { kind: "expired", words: `Expired: details are kept for ${toDays(retention.signalDays.errors)}.` };
}

/** One empty lane that replaces all lanes of spans. */
function toEmptySpanLane(
  { traceId }: EventRow,
  { isFinding, ...why }: CommonReasons & { keptDays: number; option: string; isFinding: boolean },
): TimelineLane {
  const base = { id: "spans", kind: "service", name: "Spans", service: null, loss: null } as const;
  return { ...base, state: explain(), items: [], total: 0, rowCount: 1 };

  function explain(): LaneState {
    if (traceId !== null) return explainMissing({ ...why, ...SPANS, option: isFinding ? null : why.option });
    if (isFinding) return { kind: "nothing", words: "Culprit found this out itself, and knows of no trace." };
    return { kind: "not-sent", words: "The error names no trace.", option: why.option };
  }
}

/** Adds the loss of spans to the first lane of its project. */
function addLosses(lanes: TimelineLane[], tree: TraceTree, why: CommonReasons): void {
  const projectOf = new Map(tree.spans.kinds.map(({ service, projectId }) => [service, projectId]));
  for (const lane of lanes) {
    if (lane.service === null || projectOf.get(lane.service) !== why.projectId) continue;
    lane.loss = describeLoss({ ...why, ...SPANS });
    return;
  }
}

/** The range of all items and the default window. Deploys do not widen it: words describe those that are farther away. */
function findWhole(lanes: readonly TimelineLane[]): TimeRange {
  let { fromUs, toUs } = DEFAULT_WINDOW;
  for (const { kind, items } of lanes) {
    if (kind === "deploys") continue;
    for (const item of items) {
      fromUs = Math.min(fromUs, item.fromUs);
      toUs = Math.max(toUs, item.toUs ?? item.fromUs);
    }
  }
  return { fromUs, toUs };
}
