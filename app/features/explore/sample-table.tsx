import { Link } from "react-router";
import { hasFailed } from "../../domain/spans/span-failure.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { SortTh } from "../../ui/sort-th.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { toTracePath } from "../traces/trace-options.ts";
import { type ExploreOptions, toExplorePath } from "./explore-options.ts";
import type { SampledSpan } from "./get-explore-page.server.ts";

const BAR_PX = 64;

/** Single spans. Each links to its trace. */
export function SampleTable({ spans, options }: { spans: readonly SampledSpan[]; options: ExploreOptions }) {
  const longest = Math.max(1, ...spans.map(({ durationUs }) => durationUs));
  return (
    <Table label="Spans" className="explore-cards explore-samples">
      <TableHead>
        <SortTh
          to={toExplorePath(options, { order: "slowest" })}
          sorted={options.order === "slowest" ? "descending" : undefined}
        >
          Duration
        </SortTh>
        <Th>Span</Th>
        <Th>Status</Th>
        <Th>In</Th>
        <Th>Trace</Th>
        <Th>Release</Th>
        <Th>User</Th>
        <SortTh
          to={toExplorePath(options, { order: "newest" })}
          sorted={options.order === "newest" ? "descending" : undefined}
        >
          At
        </SortTh>
      </TableHead>
      <tbody>
        {spans.map((span) => (
          <tr key={`${span.projectId} ${span.traceId} ${span.spanId} ${span.startedUs}`}>
            <Td className="tabular whitespace-nowrap">
              <span
                className="explore-length"
                style={{ width: `${Math.max(1, (span.durationUs / longest) * BAR_PX)}px` }}
                aria-hidden="true"
              />
              {formatDuration(span.durationUs)}
            </Td>
            <Td className="w-full min-w-56 max-w-0">
              <Link
                to={toTracePath(span.traceId, { spanKey: span.spanId })}
                prefetch="intent"
                className="block truncate font-mono hover:underline"
              >
                {span.op && <span className="text-muted">{span.op} </span>}
                {span.name || (span.op ? "" : "(no name)")}
              </Link>
            </Td>
            <Td className="whitespace-nowrap">
              {hasFailed(span.status) ? <Badge tone="error">{span.status}</Badge> : span.status || "–"}
            </Td>
            <Td className="max-w-56 truncate font-mono">{span.segment ?? span.service ?? "–"}</Td>
            <Td className="whitespace-nowrap">
              <TextLink to={toTracePath(span.traceId)} className="font-mono">
                {span.traceId.slice(0, 8)}
              </TextLink>
            </Td>
            <Td className="max-w-40 truncate font-mono">{span.release ?? "–"}</Td>
            <Td className="max-w-32 truncate font-mono">{span.userId ?? "–"}</Td>
            <Td className="whitespace-nowrap">
              <AbsoluteTime at={Math.floor(span.startedUs / 1000)} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
