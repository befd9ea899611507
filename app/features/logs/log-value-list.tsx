import type { CSSProperties, ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { isFiltered, type LogFilters, toggleFilter, toLogsPath } from "./log-filters.ts";
import { useRovingFocus } from "./use-roving-focus.ts";

/** A value, or a range of numbers, that a search can have in it. */
export interface ValueRow {
  /** Tells rows of a list apart. */
  id: string;
  label: ReactNode;
  /** Of lines, as it is read. */
  count: string;
  /** Length of the bar behind it, from 0 to 1. */
  share: number;
  /** Whether the search has it. */
  isIn: boolean;
  /** Page with it in the search, or without it again. */
  to: string;
  /** Leaves it out of the lines. Absent: it cannot be left out. */
  without?: { label: string; to: string };
}

/** Rows with bars. A press takes one into the search, or out of it again; with Alt it leaves the value out. */
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

/** What a press on a value of a key does. */
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
