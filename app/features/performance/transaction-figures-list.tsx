import { Card } from "../../ui/card.tsx";
import { formatCount } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { ChangeWords } from "./change-words.tsx";
import { formatApdex, formatRate, formatThroughput } from "./format-figures.ts";
import type { Change, TransactionFigures } from "./transaction-figures.ts";

export function TransactionFiguresList({ figures, change }: { figures: TransactionFigures; change: Change }) {
  const { weight, spans, isUnsure } = figures;
  return (
    <Card className="overflow-clip">
      <dl className="performance-figures">
        <Figure label="Throughput" value={formatThroughput(figures.perMinute)}>
          {formatCount(Math.round(weight))} in all
          {weight > spans * 1.001 && `, counted from ${formatCount(spans)} that were kept`}
          {isUnsure && ": low confidence"}
        </Figure>
        <Figure label="p50" value={formatDuration(figures.p50Us)}>
          half are quicker
        </Figure>
        <Figure label="p95" value={formatDuration(figures.p95Us)}>
          <ChangeWords change={change} />
          {change.kind !== "new" && change.kind !== "too-little" && (
            <span className="text-muted"> {change.kind === "same" ? "as" : "than"} before</span>
          )}
        </Figure>
        <Figure label="Failures" value={formatRate(figures.failureRate)}>
          neither ok, cancelled nor unknown
        </Figure>
        <Figure label="Apdex" value={formatApdex(figures.apdex)}>
          people are satisfied up to {figures.apdexMs.toLocaleString("en")} ms
        </Figure>
        <Figure label="Time spent" value={formatDuration(figures.totalUs)}>
          by all of them
        </Figure>
      </dl>
    </Card>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-xs">{label}</dt>
      <dd>
        <span className="tabular font-semibold text-xl">{value}</span>
        <span className="block text-muted text-xs">{children}</span>
      </dd>
    </div>
  );
}
