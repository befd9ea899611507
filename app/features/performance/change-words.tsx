import { formatDuration } from "../../ui/format-duration.ts";
import type { Change } from "./transaction-figures.ts";

/** How the p95 is against the period before: an arrow and a number, or a word. */
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

/** `38 %`, `2.4 ×`: of more than twice as much, the factor is easier to read. */
function sayRatio(ratio: number): string {
  if (ratio < 1) return `${Math.round(Math.abs(ratio) * 100)} %`;
  return `${Number((ratio + 1).toFixed(ratio < 9 ? 1 : 0))} ×`;
}
