import { answer } from "../answers.ts";
import type { DatasetSeries } from "./dataset.ts";

/** As `events-stats/` gives figures: one series, or several by figure or by group. */
export function answerStats({ from, to, intervalMs, figures, fields, groups, meta }: DatasetSeries): Response {
  const toSeries = (values: readonly number[], order: number) => ({
    data: values.map((count, index) => [Math.floor((from + index * intervalMs) / 1000), [{ count }]]),
    order,
    start: Math.floor(from / 1000),
    end: Math.floor(to / 1000),
    isMetricsData: false,
    meta,
  });
  const toAxes = (values: ReadonlyArray<readonly number[]>, order: number) =>
    figures.length === 1
      ? toSeries(values[0] ?? [], order)
      : Object.fromEntries(figures.map((figure, index) => [figure, toSeries(values[index] ?? [], index)]));
  if (fields === null) return answer(toAxes(groups[0]?.values ?? [], 0));
  return answer(
    Object.fromEntries(
      groups.map(({ group, values }, order) => [group.map((value) => value ?? "").join(","), toAxes(values, order)]),
    ),
  );
}

/** As `events-timeseries/` gives them: a list of series, each with its figure and its group. */
export function answerTimeseries(series: DatasetSeries, { dataset, now }: { dataset: string; now: number }): Response {
  const { from, to, intervalMs, figures, fields, groups, meta } = series;
  return answer({
    meta: { dataset, start: from, end: to, searchedFrom: meta.searchedFrom },
    timeSeries: groups.flatMap(({ group, values }, order) =>
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
        })),
      })),
    ),
  });
}
