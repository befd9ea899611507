import { Link } from "react-router";
import { WEB_VITAL_NAMES, WEB_VITALS, type WebVital } from "../../domain/spans/web-vitals.ts";
import { formatCount } from "../../ui/count.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { useRowKeys } from "../../ui/use-row-keys.ts";
import { formatVital } from "./format-figures.ts";
import type { VitalFigures, VitalRow } from "./get-performance-page.server.ts";
import { type PerformanceFilters, toTransactionPath } from "./performance-filters.ts";

const WORDS = { good: "good", "needs-improvement": "to improve", poor: "poor" } as const;

/**
 * Pages with their web vitals, those with most loads first. Each vital shows the value that three quarters of the loads do not exceed, and
 * the distribution. Each page links to its loads.
 */
export function VitalTable({ rows, filters }: { rows: readonly VitalRow[]; filters: PerformanceFilters }) {
  useRowKeys(".performance-table tbody tr");
  return (
    <Table label="Web vitals by page" className="performance-table">
      <TableHead>
        <Th>Page</Th>
        {WEB_VITAL_NAMES.map((vital) => (
          <Th key={vital} data-tip={`${WEB_VITALS[vital].name}: ${sayBounds(vital)}`}>
            {WEB_VITALS[vital].label}
          </Th>
        ))}
      </TableHead>
      <tbody>
        {rows.map((row) => (
          <tr key={JSON.stringify([row.project.slug, row.name])}>
            <Td className="performance-name">
              <Link
                to={toTransactionPath({ ...filters, project: row.project.slug, name: row.name, op: "pageload" })}
                prefetch="intent"
                className="group block min-w-0"
              >
                <span className="block truncate font-mono group-hover:underline">
                  {row.name === null ? <i>other names</i> : <bdi>{row.name}</bdi>}
                </span>
                <span className="block truncate text-muted text-xs">{row.project.name}</span>
                {Object.values(row.vitals).some(({ isUnsure }) => isUnsure) && (
                  <span className="block text-muted text-xs">low confidence: few were kept</span>
                )}
              </Link>
            </Td>
            {WEB_VITAL_NAMES.map((vital) => (
              <Td key={vital} data-label={WEB_VITALS[vital].label} className="vital-cell">
                <VitalCell vital={vital} figures={row.vitals[vital]} />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function VitalCell({ vital, figures }: { vital: WebVital; figures: VitalFigures | undefined }) {
  if (!figures) return <span className="text-muted">not measured</span>;
  const { p75, rating, good, poor, weight, spans, isUnsure } = figures;
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const between = Math.max(0, 1 - good - poor);
  const spread = `${percent(good)} good, ${percent(between)} to improve, ${percent(poor)} poor`;
  const base = `of ${formatCount(Math.round(weight))}${isUnsure ? `, counted from ${spans}: low confidence` : ""}`;
  return (
    <div className="grid gap-1" data-tip={`${spread}\n${base}`}>
      <span className="flex items-baseline justify-between gap-2 whitespace-nowrap">
        <span className="tabular">{formatVital(vital, p75)}</span>
        <span className="vital-word" data-rating={rating}>
          {WORDS[rating]}
        </span>
      </span>
      <span className="vital-spread" aria-hidden="true">
        <span data-rating="good" style={{ flexGrow: good }} />
        <span data-rating="needs-improvement" style={{ flexGrow: between }} />
        <span data-rating="poor" style={{ flexGrow: poor }} />
      </span>
      <span className="sr-only">
        {spread}, {base}
      </span>
    </div>
  );
}

/** The bounds of a vital in words: `good up to 2.5 s, poor beyond 4 s`. */
function sayBounds(vital: WebVital): string {
  const { good, poor } = WEB_VITALS[vital];
  return `good up to ${formatVital(vital, good)}, poor beyond ${formatVital(vital, poor)}`;
}
