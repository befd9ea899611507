import type { SpanStatistics } from "../../domain/traces/span-statistics.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import type { TracePage } from "./get-trace-page.server.ts";
import { TraceTime } from "./trace-time.tsx";
import type { TraceWindow } from "./use-trace-window.ts";

/** The time that the selection took, by service, op and name. */
export function SpanStatisticsTable({
  page,
  view,
  hues,
  statistics,
  leftOut,
}: {
  page: TracePage;
  view: TraceWindow;
  hues: readonly number[];
  statistics: readonly SpanStatistics[];
  leftOut: number;
}) {
  const { spanCount, window } = page.selection;
  const selfUs = Math.max(1, ...statistics.map((each) => each.selfUs));
  return (
    <>
      <TraceTime page={page} hues={hues} view={view} isWide>
        <span role="status">
          {spanCount === 1 ? "1 span" : `${spanCount.toLocaleString("en")} spans`} in{" "}
          {(statistics.length + leftOut).toLocaleString("en")} {statistics.length + leftOut === 1 ? "group" : "groups"}
        </span>
        {window && "; own time and total are of the part that is looked at"}
      </TraceTime>
      <Table label="Spans by name">
        <TableHead>
          <Th>Span</Th>
          <Th>Service</Th>
          <Th isNumber>Count</Th>
          <Th isNumber>Failed</Th>
          <Th isNumber aria-sort="descending">
            Own time
          </Th>
          <Th isNumber>Total</Th>
          <Th isNumber>Mean</Th>
          <Th isNumber>Longest</Th>
        </TableHead>
        <tbody>
          {statistics.map((each) => (
            <tr key={`${each.service} ${each.op} ${each.group}`}>
              <Td className="max-w-[32rem] truncate font-mono">
                <span className="text-muted">{each.op} </span>
                <bdi>{each.group}</bdi>
              </Td>
              <Td>
                <bdi>{each.service}</bdi>
              </Td>
              <Td isNumber className="tabular">
                {each.count.toLocaleString("en")}
              </Td>
              <Td isNumber className="tabular">
                {each.failed === 0 ? <span className="text-faint">0</span> : each.failed.toLocaleString("en")}
              </Td>
              <Td isNumber className="tabular">
                <span
                  className="trace-share"
                  style={{ inlineSize: `${(each.selfUs / selfUs) * 4}rem` }}
                  aria-hidden="true"
                />
                {formatDuration(each.selfUs)}
              </Td>
              <Td isNumber className="tabular">
                {formatDuration(each.totalUs)}
              </Td>
              <Td isNumber className="tabular">
                {formatDuration(each.meanUs)}
              </Td>
              <Td isNumber className="tabular">
                {formatDuration(each.maxUs)}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      {leftOut > 0 && (
        <p className="p-3 text-muted text-sm">{leftOut.toLocaleString("en")} more names took less time.</p>
      )}
    </>
  );
}
