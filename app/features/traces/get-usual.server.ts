import type { Workspace } from "../../access/workspace.ts";
import type { Condition } from "../../domain/search/condition.ts";
import { type DurationHistogram, middleOf, quantileOf } from "../../domain/spans/duration-histogram.ts";
import { isUnsure } from "../../domain/spans/span-aggregates.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import type { SpanRow } from "../../stores/events/spans.ts";

/** How long spans with the same op and name took in the day before a span. Durations are microseconds, within 3 %. */
export interface UsualSpan {
  /** The number of such spans that are stored. */
  spans: number;
  /** The number of spans that those stand for by their sampling rate. The other figures are about these. */
  weight: number;
  /** True: sampling left too few spans for reliable figures. */
  isUnsure: boolean;
  p50Us: number;
  p95Us: number;
  /** Share of spans that were faster than this one, 0 to 1. */
  fasterShare: number;
  /** Shares of the spans by duration, on a logarithmic scale from `fromUs` to `toUs`. */
  bars: number[];
  fromUs: number;
  toUs: number;
}

/** Fewer spans are not enough for a statement. */
const MIN_SPANS = 10;
const BARS = 28;

/** Null: too few such spans are stored. */
export async function getUsual({ events, scope }: Workspace, row: SpanRow): Promise<UsualSpan | null> {
  const { op, nameGroup, projectId, startedUs, durationUs } = row;
  const end = Math.ceil(startedUs / 1_000 / MINUTE_MS + 1) * MINUTE_MS;
  const where: Condition = {
    kind: "all",
    parts: [toTest("projectId", String(projectId)), toTest("op", op), toTest("nameGroup", nameGroup)],
  };
  const filter = { projectIds: scope.projectIds, from: end - DAY_MS, to: end, where };
  const { sums } = await events.sumFoundSpans(filter, { by: [], bucketMs: null, limit: 1 });
  const sum = sums[0];
  const [p50Us, p95Us] = [quantileOf(sum?.durations ?? [], 0.5), quantileOf(sum?.durations ?? [], 0.95)];
  if (sum === undefined || sum.spans < MIN_SPANS || p50Us === null || p95Us === null) return null;
  return {
    spans: sum.spans,
    weight: sum.weight,
    isUnsure: isUnsure(sum),
    p50Us,
    p95Us,
    ...drawBars(sum.durations, durationUs),
  };
}

/** Tests for a value. Null tests that the span has no value. */
function toTest(field: string, value: string | null): Condition {
  const test = value === null ? ({ kind: "exists" } as const) : ({ kind: "in", values: [value] } as const);
  return { kind: "test", field, isTag: false, isNegated: value === null, test };
}

/** Shares of spans by duration on a logarithmic scale, from the shortest to the longest. The scale includes the span's own duration. */
function drawBars(
  durations: DurationHistogram,
  ownUs: number,
): Pick<UsualSpan, "bars" | "fromUs" | "toUs" | "fasterShare"> {
  const places = durations.map(([bucket, weight]) => [Math.max(1, middleOf(bucket)), weight] as const);
  const fromUs = Math.min(Math.max(1, ownUs), ...places.map(([us]) => us));
  const toUs = Math.max(ownUs, fromUs * 1.5, ...places.map(([us]) => us));
  const bars = new Array<number>(BARS).fill(0);
  const total = places.reduce((sum, [, weight]) => sum + weight, 0);
  let faster = 0;
  for (const [us, weight] of places) {
    const bar = Math.min(BARS - 1, Math.floor((Math.log(us / fromUs) / Math.log(toUs / fromUs)) * BARS));
    bars[bar] = (bars[bar] as number) + weight / total;
    if (us < ownUs) faster += weight;
  }
  return { bars, fromUs, toUs, fasterShare: faster / total };
}
