import { Link } from "react-router";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { formatCount } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { toTracePath } from "../traces/trace-options.ts";
import type { ListedTrace } from "./get-explore-page.server.ts";

const BAR_PX = 64;
const SHOWN_SERVICES = 3;

/** Traces of the matching spans. Those with the newest span come first. */
export function TraceTable({ traces }: { traces: readonly ListedTrace[] }) {
  const longest = Math.max(1, ...traces.map(({ firstUs, lastUs }) => lastUs - firstUs));
  return (
    <Table label="Traces" className="explore-cards explore-traces">
      <TableHead>
        <Th>Duration</Th>
        <Th>Root</Th>
        <Th>Services</Th>
        <Th isNumber>Matched</Th>
        <Th isNumber>Spans</Th>
        <Th isNumber>Failed</Th>
        <Th isNumber>Errors</Th>
        <Th>Trace</Th>
        <Th>Began</Th>
      </TableHead>
      <tbody>
        {traces.map(({ traceId, root, services, matched, spans, failed, errors, firstUs, lastUs }) => (
          <tr key={traceId}>
            <Td className="tabular whitespace-nowrap">
              <span
                className="explore-length"
                style={{ width: `${Math.max(1, ((lastUs - firstUs) / longest) * BAR_PX)}px` }}
                aria-hidden="true"
              />
              {formatDuration(lastUs - firstUs)}
            </Td>
            <Td className="w-full min-w-56 max-w-0">
              <Link to={toTracePath(traceId)} prefetch="intent" className="block truncate font-mono hover:underline">
                {root === null ? (
                  <span className="text-muted">(its root has not come)</span>
                ) : (
                  <>
                    {root.op && <span className="text-muted">{root.op} </span>}
                    {root.name || (root.op ? "" : "(no name)")}
                  </>
                )}
              </Link>
            </Td>
            <Td className="max-w-56 truncate font-mono" title={services.join(", ")}>
              {services.slice(0, SHOWN_SERVICES).join(", ")}
              {services.length > SHOWN_SERVICES && ` + ${services.length - SHOWN_SERVICES}`}
            </Td>
            <Td isNumber className="tabular">
              {formatCount(matched)}
            </Td>
            <Td isNumber className="tabular">
              {formatCount(spans)}
            </Td>
            <Td isNumber className="tabular">
              {failed === 0 ? "–" : formatCount(failed)}
            </Td>
            <Td isNumber className="tabular">
              {errors === 0 ? "–" : <Badge tone="error">{formatCount(errors)}</Badge>}
            </Td>
            <Td className="whitespace-nowrap font-mono text-muted">{traceId.slice(0, 8)}</Td>
            <Td className="whitespace-nowrap">
              <AbsoluteTime at={Math.floor(firstUs / 1000)} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
