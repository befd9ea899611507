import { formatDuration } from "../../ui/format-duration.ts";
import type { Change } from "./transaction-figures.ts";

/** The change of the p95 against the period before: an arrow with a number, or a word. */
export function ChangeWords({ change }: { change: Change }) {
  switch (change.kind) {
    case "new":
      return <span className="text-muted">none before</span>;
    case "too-little":
      return <span className="text-muted">too little data</span>;
    case "same":
      return <span className="text-muted">about the same</span>;
    case "slower":
    case "faster":
      return (
        <span
          className="performance-change"
          data-kind={change.kind}
          data-tip={`p95 before: ${formatDuration(change.beforeUs)}`}
        >
          {sayRatio(change.ratio)} {change.kind}
        </span>
      );
  }
}

/** A ratio in words: `38 %`, `2.4 ×`. Above twice as much, a factor is easier to read. */
function sayRatio(ratio: number): string {
  if (ratio < 1) return `${Math.round(Math.abs(ratio) * 100)} %`;
  return `${Number((ratio + 1).toFixed(ratio < 9 ? 1 : 0))} ×`;
}
