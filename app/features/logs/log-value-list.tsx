import type { CSSProperties, ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { isFiltered, type LogFilters, toggleFilter, toLogsPath } from "./log-filters.ts";
import { useRovingFocus } from "./use-roving-focus.ts";

/** A value, or a range of numbers, that can be part of a search. */
export interface ValueRow {
  /** Unique in the list. */
  id: string;
  label: ReactNode;
  /** The number of lines, as text. */
  count: string;
  /** The length of the bar behind the row, from 0 to 1. */
  share: number;
  /** Whether the search has the value. */
  isIn: boolean;
  /** The address of the page with the value added to the search, or removed again. */
  to: string;
  /** The link that excludes the value. Absent: it cannot be excluded. */
  without?: { label: string; to: string };
}

/** Rows with bars. A click adds the value to the search, or removes it again. With Alt, the click excludes the value. */
export function LogValueList({ label, rows }: { label: string; rows: readonly ValueRow[] }) {
  const navigate = useNavigate();
  const columns = rows.every(({ without }) => without === undefined) ? 1 : 2;
  const { group, toTabIndex } = useRovingFocus({ links: columns * rows.length, columns });
  return (
    <div {...group} role="toolbar" aria-orientation="vertical" aria-label={label}>
      <ul>
        {rows.map(({ id, label, count, share, isIn, to, without }, row) => (
          <li key={id} data-in={isIn || undefined}>
            <Link
              to={to}
              preventScrollReset
              className="log-facet"
              tabIndex={toTabIndex(columns * row)}
              style={{ "--share": `${share * 100}%` } as CSSProperties}
              onClick={(event) => {
                if (!event.altKey || !without) return;
                event.preventDefault();
                void navigate(without.to);
              }}
            >
              <bdi className="min-w-0 flex-1 truncate">{label}</bdi>
              <span className="tabular">{count}</span>
            </Link>
            {without && (
              <Link
                to={without.to}
                preventScrollReset
                aria-label={without.label}
                className="log-facet-out"
                tabIndex={toTabIndex(columns * row + 1)}
              >
                −
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A row for a value of a key, with its links. */
export function toValueRow(
  filters: LogFilters,
  key: string,
  value: string,
): Pick<ValueRow, "id" | "label" | "isIn" | "to"> & { without: { label: string; to: string } } {
  const to = (isNegated: boolean) =>
    toLogsPath(filters, { search: toggleFilter(filters.search, key, value, { isNegated }) });
  return {
    id: value,
    label: value,
    isIn: isFiltered(filters.search, key, value),
    to: to(false),
    without: { label: `Leave out ${key} ${value}`, to: to(true) },
  };
}
