import { Card } from "../../ui/card.tsx";
import type { ProjectOverview } from "./get-project-overview.server.ts";

/** Four numbers about the project's state. */
export function OverviewFigures({ overview, period }: { overview: ProjectOverview; period: string }) {
  const { counts, countsBefore, unresolvedCount, newIssueCount } = overview;
  return (
    <Card className="overflow-clip">
      <dl className="project-figures">
        <Figure label="Events" value={counts.events}>
          {compare(counts.events, countsBefore?.events, period)}
        </Figure>
        <Figure label="Users who met an error" value={counts.users}>
          {compare(counts.users, countsBefore?.users, period)}
        </Figure>
        <Figure label="Unresolved issues" value={unresolvedCount} isCapped={unresolvedCount >= 1_000}>
          {`with an event in ${period}`}
        </Figure>
        <Figure label="New issues" value={newIssueCount} isCapped={newIssueCount >= 1_000}>
          in the last 7 days
        </Figure>
      </dl>
    </Card>
  );
}

function Figure({
  label,
  value,
  isCapped = false,
  children,
}: {
  label: string;
  value: number;
  isCapped?: boolean;
  children: string;
}) {
  return (
    <div>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2">
        <span className="tabular font-semibold text-xl">
          {value.toLocaleString("en")}
          {isCapped && "+"}
        </span>
        <span className="text-muted text-xs">{children}</span>
      </dd>
    </div>
  );
}

/** With fewer events before, a ratio says nothing. */
const MIN_COMPARED = 10;
/** Percent. Smaller differences are chance. */
const WORTH_SAYING = 5;

function compare(now: number, before: number | undefined, period: string): string {
  if (before === undefined) return "";
  if (before === 0) return now === 0 ? "" : `none in the ${period} before`;
  if (before < MIN_COMPARED) return `${before} in the ${period} before`;
  const percent = Math.round((now / before - 1) * 100);
  if (Math.abs(percent) < WORTH_SAYING) return `about as in the ${period} before`;
  if (percent >= 200) return `${(now / before).toFixed(now < before * 10 ? 1 : 0)} times the ${period} before`;
  return `${Math.abs(percent)} % ${percent > 0 ? "more" : "fewer"} than in the ${period} before`;
}
