import { Link } from "react-router";
import { toLineKeys } from "./line-keys.ts";
import { DEFAULT_COLUMNS, type LogFilters, toLogsPath } from "./log-filters.ts";
import type { LogLine } from "./log-line.server.ts";
import { LogTime } from "./log-time.tsx";
import { SeverityMark } from "./severity-mark.tsx";

/** Lines, newest first. Each opens in the drawer. */
export function LogTable({ filters, lines }: { filters: LogFilters; lines: readonly LogLine[] }) {
  // A column that nobody asked for stands only where a line has something in it.
  const columns = filters.columns
    .map((key, index) => ({ key, index }))
    .filter(({ index }) => filters.columns !== DEFAULT_COLUMNS || lines.some(({ values }) => values[index]));
  const keys = toLineKeys(lines);
  return (
    <table className="log-table">
      <caption className="sr-only">Log lines, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Severity</th>
          {columns.map(({ key }) => (
            <th key={key} scope="col">
              {key}
            </th>
          ))}
          <th scope="col">Message</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => {
          const isOpen = filters.line === line.id;
          return (
            <tr key={keys[index]} className="log-row" data-severity={line.severity} data-open={isOpen || undefined}>
              <td>
                <Link
                  to={toLogsPath(filters, { line: line.id })}
                  preventScrollReset
                  aria-current={isOpen ? "true" : undefined}
                >
                  <LogTime occurredUs={line.occurredUs} />
                </Link>
              </td>
              <td>
                <SeverityMark severity={line.severity} />
              </td>
              {columns.map(({ key, index }) => (
                <td key={key} className="log-value">
                  <bdi>{line.values[index]}</bdi>
                </td>
              ))}
              <td className="log-body">
                <bdi>{line.body}</bdi>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
