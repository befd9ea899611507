import type {
  MetricEvaluation,
  MetricLines,
  MetricPeriod,
  MetricSettings,
} from "../../domain/metrics/metric-monitor.ts";
import { formatFigure, formatLine } from "../../domain/metrics/say-metric.ts";
import { Badge } from "../../ui/badge.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import type { MetricItem } from "./get-metric-pages.server.ts";

const STATUS = {
  unknown: { label: "Waiting", tone: "neutral" },
  ok: { label: "Fine", tone: "resolved" },
  warning: { label: "Warning", tone: "warning" },
  critical: { label: "Critical", tone: "error" },
} as const;

const DECISIONS: Record<MetricEvaluation["decision"], string> = {
  ok: "fine",
  warning: "warning",
  critical: "critical",
  unknown: "unknown",
  "no-data": "no data",
  failed: "failed",
};

export function MetricStatusBadge({ state, isPaused, isLate }: Pick<MetricItem, "state" | "isPaused" | "isLate">) {
  if (isPaused) return <Badge>Paused</Badge>;
  if (isLate) return <Badge>Late</Badge>;
  const { label, tone } = STATUS[state.status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The periods of trouble. */
export function PeriodTable({
  label,
  settings,
  periods,
  now,
}: {
  label: string;
  settings: MetricSettings;
  periods: readonly MetricPeriod[];
  now: number;
}) {
  return (
    <Table label={label}>
      <TableHead>
        <Th>From</Th>
        <Th>For</Th>
        <Th>Level</Th>
        <Th isNumber>Farthest</Th>
      </TableHead>
      <tbody>
        {periods.map(({ startedAt, endedAt, level, peak }) => (
          <tr key={startedAt}>
            <Td className="whitespace-nowrap">
              <RelativeTime at={startedAt} />
            </Td>
            <Td className="tabular whitespace-nowrap">
              {endedAt === null ? `${sayLength(now - startedAt)} so far` : sayLength(endedAt - startedAt)}
            </Td>
            <Td>{level}</Td>
            <Td isNumber>{formatLine(settings, peak)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The value that each look saw, and the reason if nothing was decided. */
export function EvaluationTable({
  settings,
  evaluations,
}: {
  settings: MetricSettings;
  evaluations: readonly MetricEvaluation[];
}) {
  const isOfRelease = evaluations.some(({ release }) => release !== null);
  return (
    <Table label="Evaluations">
      <TableHead>
        <Th>Window until</Th>
        <Th isNumber>Value</Th>
        {settings.comparison === "week" && <Th isNumber>A week before</Th>}
        {settings.comparison === "goal" && <Th isNumber>Lines</Th>}
        {isOfRelease && <Th>Release</Th>}
        <Th>Decision</Th>
      </TableHead>
      <tbody>
        {evaluations.map(({ at, value, baseline, decision, reason, release, lines }) => (
          <tr key={at}>
            <Td className="whitespace-nowrap">
              <RelativeTime at={at} />
            </Td>
            <Td isNumber>{value === null ? "" : formatFigure(settings.figure, value)}</Td>
            {settings.comparison === "week" && (
              <Td isNumber>{baseline === null ? "" : formatFigure(settings.figure, baseline)}</Td>
            )}
            {settings.comparison === "goal" && <Td isNumber>{lines && sayLines(lines)}</Td>}
            {isOfRelease && (
              <Td className="wrap-anywhere">
                <bdi>{release}</bdi>
              </Td>
            )}
            <Td>
              {DECISIONS[decision]}
              {reason && <span className="block text-muted text-xs">{reason}</span>}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The shares of crashes that target and floor allowed then: `0.5 %, 2 %`. */
function sayLines({ critical, warning }: MetricLines): string {
  const lines = warning === null ? [critical] : [warning, critical];
  return lines.map((line) => formatFigure("crash_rate(session)", line)).join(", ");
}

export function sayTimes(times: number): string {
  return times === 1 ? "1 time" : `${times.toLocaleString("en")} times`;
}

function sayLength(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
