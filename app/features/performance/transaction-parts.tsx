import { Link } from "react-router";
import { hasFailed } from "../../domain/spans/span-failure.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Count } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { sayWeight } from "../explore/say-weight.ts";
import { toTracePath } from "../traces/trace-options.ts";
import type { TransactionExample, TransactionIssue, TransactionPage } from "./get-transaction-page.server.ts";

/** The operations on which a transaction spends its time. */
export function OpBreakdown({ ops }: { ops: TransactionPage["ops"] }) {
  const most = Math.max(1, ...ops.map(({ perTransactionUs }) => perTransactionUs));
  return (
    <ul aria-label="Time by operation" className="op-list">
      {ops.map(({ op, perTransactionUs, ...base }) => (
        <li key={op} data-tip={`${sayWeight(base)} ${base.weight === 1 ? "span" : "spans"}`}>
          <span className="op-bar" style={{ width: `${(perTransactionUs / most) * 100}%` }} aria-hidden="true" />
          <span className="min-w-0 truncate font-mono">{op || "(no operation)"}</span>
          <span className="tabular">
            {formatDuration(perTransactionUs)}
            <span className="sr-only"> each time, from {sayWeight(base)} spans</span>
            {base.isUnsure && <span className="text-muted"> low confidence</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Stored transactions. Each links to its trace. */
export function ExampleTable({ label, examples }: { label: string; examples: readonly TransactionExample[] }) {
  return (
    <Table label={label}>
      <TableHead>
        <Th isNumber>Duration</Th>
        <Th>Trace</Th>
        <Th>Status</Th>
        <Th className="max-sm:hidden">Release</Th>
        <Th>At</Th>
      </TableHead>
      <tbody>
        {examples.map((example) => (
          <tr key={`${example.traceId} ${example.spanId}`}>
            <Td isNumber className="tabular whitespace-nowrap">
              {formatDuration(example.durationUs)}
            </Td>
            <Td className="whitespace-nowrap">
              <Link
                to={toTracePath(example.traceId, { spanKey: example.spanId })}
                prefetch="intent"
                className="text-link font-mono"
              >
                {example.traceId.slice(0, 8)}
              </Link>
            </Td>
            <Td>{hasFailed(example.status) ? <Badge tone="error">{example.status}</Badge> : example.status || "–"}</Td>
            <Td className="max-w-40 truncate font-mono max-sm:hidden">{example.release ?? "–"}</Td>
            <Td className="sm:whitespace-nowrap">
              <AbsoluteTime at={Math.floor(example.startedUs / 1000)} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

export function TransactionIssues({ issues }: { issues: readonly TransactionIssue[] }) {
  return (
    <ul aria-label="Issues of this transaction" className="performance-issues">
      {issues.map(({ id, shortId, title, level, eventCount }) => (
        <li key={id}>
          <LevelMark level={level} />
          <Link to={`/issues/${id}`} prefetch="intent" className="min-w-0 truncate font-mono hover:underline">
            <bdi>{title}</bdi>
          </Link>
          <span className="font-mono text-muted text-xs">{shortId}</span>
          <Count value={eventCount} unit={eventCount === 1 ? "event" : "events"} />
        </li>
      ))}
    </ul>
  );
}
