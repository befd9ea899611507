import { OUTCOMES, type Outcome } from "../../domain/outcome.ts";
import { BarGraph } from "../../ui/bar-graph.tsx";
import { toDeployMarks } from "../releases/to-deploy-marks.ts";
import { OUTCOME_LOOK } from "./outcome-look.ts";
import { OUTCOME_WORDS } from "./outcome-words.ts";

/** A graph of the outcomes of items over time. Outcomes that did not happen have no series. */
export function ArrivedGraph({
  series,
  bucketMs,
  deploys,
}: {
  series: Array<{ at: number; counts: Partial<Record<Outcome, number>> }>;
  bucketMs: number;
  /** Deploys that are marked in the graph. */
  deploys: Parameters<typeof toDeployMarks>[0];
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
      markers={toDeployMarks(deploys)}
      heightClassName="h-32"
    />
  );
}
