import { type SpanAggregate, unitOf } from "../../domain/spans/span-aggregates.ts";
import { formatCount } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";

/** `12,300`, `2.4 %`, `340 ms`; a dash where there are no spans. */
export function formatAggregate(aggregate: SpanAggregate, value: number | null): string {
  if (value === null) return "–";
  switch (unitOf(aggregate)) {
    case "count":
      return formatCount(Math.round(value));
    case "rate":
      return `${Number((value * 100).toFixed(value < 0.1 ? 2 : 1))} %`;
    case "duration":
      return formatDuration(value);
  }
}

/** One line of a group: its values beside each other. */
export function nameGroup(group: ReadonlyArray<string | null>): string {
  return group.length === 0 ? "all spans" : group.map((value) => value || "(none)").join(" · ");
}
