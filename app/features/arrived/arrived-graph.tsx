import { OUTCOMES, type Outcome } from "../../domain/outcome.ts";
import { BarGraph } from "../../ui/bar-graph.tsx";
import { OUTCOME_LOOK } from "./outcome-look.ts";
import { OUTCOME_WORDS } from "./outcome-words.ts";

/** Where items went over time; outcomes that did not happen have no series. */
export function ArrivedGraph({
  series,
  bucketMs,
}: {
  series: Array<{ at: number; counts: Partial<Record<Outcome, number>> }>;
  bucketMs: number;
}) {
  const shown = OUTCOMES.filter((outcome) => series.some(({ counts }) => counts[outcome]));
  return (
    <BarGraph
      label="Items that arrived"
      unit="items"
      series={shown.map((outcome) => ({
        label: OUTCOME_WORDS[outcome].label,
        fillClassName: OUTCOME_LOOK[outcome].fill,
      }))}
      buckets={series.map(({ at, counts }) => ({ at, values: shown.map((outcome) => counts[outcome] ?? 0) }))}
      bucketMs={bucketMs}
      heightClassName="h-32"
    />
  );
}
