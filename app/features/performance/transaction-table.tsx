import { Link } from "react-router";
import { formatDuration } from "../../ui/format-duration.ts";
import { SortTh } from "../../ui/sort-th.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { useRowKeys } from "../../ui/use-row-keys.ts";
import { ChangeWords } from "./change-words.tsx";
import { formatApdex, formatRate, formatThroughput } from "./format-figures.ts";
import type { TransactionRow } from "./get-performance-page.server.ts";
import {
  type PerformanceFilters,
  type TransactionSort,
  toPerformancePath,
  toTransactionPath,
} from "./performance-filters.ts";

const BAR_PX = 72;
const COLUMNS: ReadonlyArray<{ sort: TransactionSort; label: string; isAscending?: true }> = [
  { sort: "time", label: "Time spent" },
  { sort: "throughput", label: "Throughput" },
  { sort: "p50", label: "p50" },
  { sort: "p95", label: "p95" },
  { sort: "change", label: "p95 to before" },
  { sort: "failures", label: "Failures" },
  { sort: "apdex", label: "Apdex", isAscending: true },
];

/** Transactions with their figures. Each links to its page. */
export function TransactionTable({ rows, filters }: { rows: readonly TransactionRow[]; filters: PerformanceFilters }) {
  useRowKeys(".performance-table tbody tr");
  const most = Math.max(1, ...rows.map(({ totalUs }) => totalUs));
  return (
    <Table label="Transactions" className="performance-table">
      <TableHead>
        <Th>Transaction</Th>
        {COLUMNS.map(({ sort, label, isAscending }) => (
          <SortTh
            key={sort}
            isNumber={sort !== "time"}
            to={toPerformancePath(filters, { sort })}
            sorted={filters.sort === sort ? (isAscending ? "ascending" : "descending") : undefined}
          >
            {label}
          </SortTh>
        ))}
      </TableHead>
      <tbody>
        {rows.map((row) => (
          <tr key={JSON.stringify([row.project.slug, row.name, row.op])}>
            <Td className="performance-name">
              <Link
                to={toTransactionPath({ ...filters, project: row.project.slug, name: row.name, op: row.op })}
                prefetch="intent"
                className="group block min-w-0"
              >
                <span className="block truncate font-mono group-hover:underline">
                  {row.name === null ? <i>other names</i> : <bdi>{row.name}</bdi>}
                </span>
                <span className="block truncate text-muted text-xs">
                  {row.project.name}
                  {row.op !== "" && <span className="font-mono"> · {row.op}</span>}
                </span>
                {row.isUnsure && <span className="block text-muted text-xs">low confidence: few were kept</span>}
              </Link>
            </Td>
            <Td data-label="Time spent" className="tabular whitespace-nowrap">
              <span
                className="performance-length"
                style={{ width: `${Math.max(1, (row.totalUs / most) * BAR_PX)}px` }}
                aria-hidden="true"
              />
              {formatDuration(row.totalUs)}
            </Td>
            <Td isNumber data-label="Throughput" className="tabular whitespace-nowrap">
              {formatThroughput(row.perMinute)}
            </Td>
            <Td isNumber data-label="p50" className="tabular whitespace-nowrap">
              {formatDuration(row.p50Us)}
            </Td>
            <Td isNumber data-label="p95" className="tabular whitespace-nowrap">
              {formatDuration(row.p95Us)}
            </Td>
            <Td isNumber data-label="p95 to before" className="tabular whitespace-nowrap">
              <ChangeWords change={row.change} />
            </Td>
            <Td isNumber data-label="Failures" className="tabular whitespace-nowrap">
              <span data-some={row.failureRate > 0 || undefined} className="performance-failures">
                {formatRate(row.failureRate)}
              </span>
            </Td>
            <Td isNumber data-label="Apdex" className="tabular whitespace-nowrap">
              {formatApdex(row.apdex)}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
