import { type CSSProperties, memo } from "react";
import { Link } from "react-router";
import { DEFAULT_COLUMNS, type LogFilters, toLogsPath } from "./log-filters.ts";
import type { ListedLine } from "./log-list.ts";
import { LogTime } from "./log-time.tsx";
import { SeverityMark } from "./severity-mark.tsx";

/** Lines, newest first. Each opens in the drawer. The browser draws those in sight alone (`content-visibility` in logs.css). */
export function LogTable({ filters, lines }: { filters: LogFilters; lines: readonly ListedLine[] }) {
  // A column that nobody asked for stands only where a line has something in it.
  const columns = filters.columns
    .map((key, index) => ({ key, index }))
    .filter(({ index }) => filters.columns !== DEFAULT_COLUMNS || lines.some(({ values }) => values[index]));
  const indexes = columns.map(({ index }) => index).join(",");
  // The place of the id in the address of a line: rows that are there stay as they are when others come.
  const path = toLogsPath(filters, { line: LINE });
  return (
    <table className="log-table" style={{ "--log-values": columns.length } as CSSProperties}>
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
        {lines.map((line) => (
          <LogRow key={line.key} line={line} path={path} isOpen={filters.line === line.id} indexes={indexes} />
        ))}
      </tbody>
    </table>
  );
}

const LINE = "line-id";

const LogRow = memo(function LogRow({
  line,
  path,
  isOpen,
  indexes,
}: {
  line: ListedLine;
  path: string;
  isOpen: boolean;
  /** Of the values that have a column, with commas. */
  indexes: string;
}) {
  return (
    <tr
      className="log-row"
      data-severity={line.severity}
      data-open={isOpen || undefined}
      data-new={line.isNew || undefined}
    >
      <td>
        <Link to={path.replace(LINE, line.id)} preventScrollReset aria-current={isOpen ? "true" : undefined}>
          <LogTime occurredUs={line.occurredUs} />
        </Link>
      </td>
      <td>
        <SeverityMark severity={line.severity} />
      </td>
      {indexes !== "" &&
        indexes.split(",").map((index) => (
          <td key={index} className="log-value">
            <bdi>{line.values[Number(index)]}</bdi>
          </td>
        ))}
      <td className="log-body">
        <bdi>{line.body}</bdi>
      </td>
    </tr>
  );
});
