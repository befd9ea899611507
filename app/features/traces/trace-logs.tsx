import { Link } from "react-router";
import { EmptyState } from "../../ui/empty-state.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import type { TracePage } from "./get-trace-page.server.ts";
import type { TraceLogLine } from "./list-trace-logs.server.ts";
import { toTracePath } from "./trace-options.ts";

/** The log lines of a trace by time. */
export function TraceLogs({ page, logs }: { page: TracePage; logs: readonly TraceLogLine[] }) {
  if (logs.length === 0)
    return (
      <EmptyState isOfEvents title="No log lines">
        Nothing was logged through an SDK {page.spanCount > 0 ? "within an hour of this trace" : "in this trace"}.{" "}
        <code>enableLogs: true</code> sends what an application logs. <AllLines traceId={page.traceId} />
      </EmptyState>
    );
  return (
    <>
      {page.spanCount > 0 && (
        <p className="px-4 py-2 text-muted">
          From an hour before the first span to an hour after the last one. <AllLines traceId={page.traceId} />
        </p>
      )}
      <Table label="Log lines">
        <TableHead>
          <Th isNumber>Time</Th>
          <Th>Level</Th>
          <Th>Line</Th>
          <Th>Service</Th>
          <Th>Span</Th>
        </TableHead>
        <tbody>
          {logs.map(({ key, atUs, level, body, service, spanId }) => (
            <tr key={key}>
              <Td isNumber className="tabular whitespace-nowrap">
                {atUs >= 0 ? "+" : ""}
                {formatDuration(atUs)}
              </Td>
              <Td className="whitespace-nowrap">
                <LevelMark level={level} showWord />
              </Td>
              <Td className="wrap-anywhere min-w-[16rem] whitespace-pre-wrap font-mono">
                <bdi>{body}</bdi>
              </Td>
              <Td className="min-w-24">{service}</Td>
              <Td className="whitespace-nowrap font-mono">
                {spanId && (
                  <Link
                    to={toTracePath(page.traceId, { ...page.options, view: "waterfall", spanKey: spanId })}
                    className="underline"
                  >
                    {spanId.slice(0, 8)}
                  </Link>
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}

function AllLines({ traceId }: { traceId: string }) {
  return (
    <Link to={`/logs?${new URLSearchParams({ q: `trace:${traceId}`, range: "90d" })}`} className="underline">
      All lines with its id
    </Link>
  );
}
