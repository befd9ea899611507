import { answer } from "../answers.ts";
import type { Accuracy, DatasetSeries } from "./dataset.ts";

/** The answer of `events-stats/`: one series, or an object of several, by figure or by group. */
export function answerStats({ from, to, intervalMs, figures, fields, groups, meta }: DatasetSeries): Response {
  const toSeconds = (index: number) => Math.floor((from + index * intervalMs) / 1000);
  const toSeries = (values: readonly number[], { accuracy }: DatasetSeries["groups"][number], order: number) => ({
    data: values.map((count, index) => [toSeconds(index), [{ count }]]),
    order,
    start: Math.floor(from / 1000),
    end: Math.floor(to / 1000),
    isMetricsData: false,
    meta: accuracy === undefined ? meta : { ...meta, accuracy: toLists(accuracy, toSeconds) },
  });
  const toAxes = (group: DatasetSeries["groups"][number], order: number) =>
    figures.length === 1
      ? toSeries(group.values[0] ?? [], group, order)
      : Object.fromEntries(figures.map((figure, index) => [figure, toSeries(group.values[index] ?? [], group, index)]));
  if (fields === null) return answer(toAxes(groups[0] ?? { group: [], values: [] }, 0));
  return answer(
    Object.fromEntries(
      groups.map((group, order) => [group.group.map((value) => value ?? "").join(","), toAxes(group, order)]),
    ),
  );
}

/** Turns the accuracy of intervals into one list for each of its parts. */
function toLists(accuracy: readonly Accuracy[], toTimestamp: (index: number) => number) {
  const list = (part: keyof Accuracy) =>
    accuracy.map((each, index) => ({ timestamp: toTimestamp(index), value: each[part] }));
  return { sampleCount: list("sampleCount"), samplingRate: list("samplingRate"), confidence: list("confidence") };
}

/** The answer of `events-timeseries/`: a list of series, each with its figure and its group. */
export function answerTimeseries(series: DatasetSeries, { dataset, now }: { dataset: string; now: number }): Response {
  const { from, to, intervalMs, figures, fields, groups, meta } = series;
  return answer({
    meta: { dataset, start: from, end: to, searchedFrom: meta.searchedFrom },
    timeSeries: groups.flatMap(({ group, values, accuracy }, order) =>
      figures.map((figure, index) => ({
        yAxis: figure,
        ...(fields === null ? {} : { groupBy: fields.map((key, place) => ({ key, value: group[place] ?? null })) }),
        meta: {
          valueType: meta.fields[figure] ?? "number",
          valueUnit: meta.units[figure] ?? null,
          interval: intervalMs,
          ...(fields === null ? {} : { order, isOther: false }),
        },
        values: (values[index] ?? []).map((value, at) => ({
          timestamp: from + at * intervalMs,
          value,
          incomplete: from + (at + 1) * intervalMs > now,
          ...toPointAccuracy(accuracy?.[at]),
        })),
      })),
    ),
  });
}

function toPointAccuracy(accuracy: Accuracy | undefined) {
  if (accuracy === undefined) return {};
  const { sampleCount, samplingRate, confidence } = accuracy;
  return { sampleCount, sampleRate: samplingRate, confidence };
}
