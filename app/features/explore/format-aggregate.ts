import { type SpanFigure, unitOfSpanFigure } from "../../domain/spans/span-figure.ts";
import { formatCount } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { formatNumber } from "./format-number.ts";

/** A figure as text: `12,300`, `2.4 %`, `340 ms`, `1,234`. A dash if there is no value. */
export function formatFigure(figure: SpanFigure, value: number | null): string {
  if (value === null) return "–";
  switch (unitOfSpanFigure(figure)) {
    case "count":
      return formatCount(Math.round(value));
    case "rate":
      return `${Number((value * 100).toFixed(value < 0.1 ? 2 : 1))} %`;
    case "duration":
      return formatDuration(value);
    case "number":
      return formatNumber(value);
  }
}

/** The name of a figure for narrow places. */
export function shortenFigure({ name }: Pick<SpanFigure, "name">): string {
  return name.replace("span.duration", "duration");
}

/** The name of a group on one line: its values beside each other. */
export function nameGroup(group: ReadonlyArray<string | null>): string {
  return group.length === 0 ? "all spans" : group.map((value) => value || "(none)").join(" · ");
}
