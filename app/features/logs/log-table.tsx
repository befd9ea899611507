import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type RefCallback,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Link } from "react-router";
import { useIsHydrated } from "../../ui/clock.tsx";
import { stepRow } from "../../ui/use-row-keys.ts";
import { type LogFilters, listShownColumns, toLogsPath } from "./log-filters.ts";
import type { ListedLine } from "./log-list.ts";
import { LogTime, useIsOtherYear } from "./log-time.tsx";
import { SeverityMark } from "./severity-mark.tsx";

/** Up to this number of lines, every row is in the page, for the browser's own search, for readers of tables, and without script. */
const MAX_WHOLE = 500;
/** Rows before and after the visible ones. Keys and quick scrolling can reach them before they are drawn. */
const OVERSCAN = 40;
const ROW_PX = 28;

/** Selector of the rows that keys can step through. */
export const LOG_ROWS = ".log-row";

/** Moves the focus to the row that Tab leads to. */
export function focusStop(): void {
  const stop = document.querySelector<HTMLElement>(`${LOG_ROWS} a:not([tabindex="-1"])`);
  stop?.focus({ preventScroll: true });
  stop?.scrollIntoView({ block: "nearest" });
}

/** Lines, newest first. Each opens in the drawer. If there are very many lines, only rows near the visible ones are in the page. */
export function LogTable({ filters, lines }: { filters: LogFilters; lines: readonly ListedLine[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { first, last, before, after, measure, isWhole } = useRowsInSight(lines, body);
  const columns = listShownColumns(filters, lines);
  const indexes = columns.map(({ index }) => index).join(",");
  // `LINE` stands for the id in the address of a line. So existing rows are not drawn again when others come.
  const path = toLogsPath(filters, { line: LINE });
  const hasYears = useIsOtherYear(lines.at(-1)?.occurredUs ?? 0);
  const stop = useStop(lines.slice(first, last), filters.line);
  // The details may cover the lower end of the page, so the row is scrolled into view.
  useEffect(() => {
    if (filters.line !== null) body.current?.querySelector("[data-open]")?.scrollIntoView({ block: "nearest" });
  }, [filters.line]);
  return (
    <table
      className="log-table"
      data-years={(lines.length > 0 && hasYears) || undefined}
      style={{ "--log-values": columns.length } as CSSProperties}
      aria-rowcount={lines.length + 1}
    >
      <caption className="sr-only">Log lines, newest first</caption>
      <thead>
        <tr aria-rowindex={1}>
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
      <tbody
        ref={body}
        onFocus={stop.onFocus}
        onKeyDown={stop.onKeyDown}
        style={isWhole ? undefined : { paddingBlock: `${before}px ${after}px` }}
      >
        {lines.slice(first, last).map((line, at) => (
          <LogRow
            key={line.key}
            line={line}
            index={first + at}
            measure={measure}
            path={path}
            isOpen={filters.line === line.id}
            isStop={stop.key === null || stop.key === line.key}
            indexes={indexes}
          />
        ))}
      </tbody>
    </table>
  );
}

/**
 * Makes the rows one stop of Tab, with arrow keys within: otherwise, what follows them would be hundreds of presses away. The stop
 * is the row that had the focus last, otherwise the open row, otherwise the first. `key` null: script is not running yet, and each
 * row is a stop.
 */
function useStop(lines: readonly ListedLine[], openId: string | null) {
  const isHydrated = useIsHydrated();
  const [last, setLast] = useState(() => lines.find(({ id }) => id === openId)?.key ?? null);
  const stop = lines.find(({ key }) => key === last) ?? lines.find(({ id }) => id === openId) ?? lines[0];
  return {
    key: isHydrated ? (stop?.key ?? null) : null,
    onFocus: ({ target }: FocusEvent<HTMLElement>) => setLast(target.dataset.key ?? null),
    onKeyDown: (event: KeyboardEvent) => {
      const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key as "ArrowDown"];
      if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      stepRow(LOG_ROWS, by);
    },
  };
}

interface RowsInSight {
  /** Indexes of the first row in the page, and of the one after the last. */
  first: number;
  last: number;
  /** Heights of the rows before and after those in the page, in pixels. */
  before: number;
  after: number;
  measure: RefCallback<HTMLElement>;
  isWhole: boolean;
}

function useRowsInSight(lines: readonly ListedLine[], body: { current: HTMLElement | null }): RowsInSight {
  const isWhole = lines.length <= MAX_WHOLE;
  const [scrollMargin, setScrollMargin] = useState(0);
  const getItemKey = useCallback((index: number) => lines[index]?.key ?? index, [lines]);
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey,
    scrollMargin,
  });
  useLayoutEffect(() => {
    const box = isWhole ? null : body.current?.getBoundingClientRect();
    // The content above the rows may have changed its height.
    if (box) setScrollMargin(Math.round(box.top + window.scrollY));
  });
  const measure = virtualizer.measureElement;
  const items = isWhole ? [] : virtualizer.getVirtualItems();
  const [top, bottom] = [items[0], items.at(-1)];
  if (!top || !bottom)
    return { first: 0, last: Math.min(lines.length, MAX_WHOLE), before: 0, after: 0, measure, isWhole };
  return {
    first: top.index,
    last: bottom.index + 1,
    before: top.start - scrollMargin,
    after: virtualizer.getTotalSize() - (bottom.end - scrollMargin),
    measure,
    isWhole,
  };
}

const LINE = "line-id";

const LogRow = memo(function LogRow({
  line,
  index,
  measure,
  path,
  isOpen,
  isStop,
  indexes,
}: {
  line: ListedLine;
  index: number;
  measure: RefCallback<HTMLElement>;
  path: string;
  isOpen: boolean;
  /** Whether Tab leads to the row. */
  isStop: boolean;
  /** The indexes of values that have a column, separated by commas. */
  indexes: string;
}) {
  return (
    <tr
      ref={measure}
      className="log-row"
      data-index={index}
      aria-rowindex={index + 2}
      data-severity={line.severity}
      data-open={isOpen || undefined}
      data-new={line.isNew || undefined}
    >
      <td>
        <Link
          to={path.replace(LINE, line.id)}
          preventScrollReset
          data-key={line.key}
          tabIndex={isStop ? undefined : -1}
          aria-current={isOpen ? "true" : undefined}
        >
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
