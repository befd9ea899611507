import { X } from "lucide-react";
import { Link } from "react-router";
import type { NumberRange } from "../../domain/number-ranges.ts";
import { formatShare } from "../explore/format-share.ts";
import { NumberFigures } from "../explore/number-figures.tsx";
import { isInRange, sayRange, toggleRange } from "../search/search-range.ts";
import type { LogValues } from "./get-log-values.server.ts";
import { type LogFilters, toggleFlag, toLogsPath } from "./log-filters.ts";
import { LogTime } from "./log-time.tsx";
import { LogValueList, toValueRow, type ValueRow } from "./log-value-list.tsx";

/** The matching lines by the values of one key, or by ranges of its numbers. */
export function LogValuesPanel({
  filters,
  values: { key, values, hasMore, without, numbers, countedFrom },
  from,
}: {
  filters: LogFilters;
  values: LogValues;
  /** Start of the requested time, in milliseconds since 1970. */
  from: number;
}) {
  const ranges = numbers?.ranges ?? [];
  const most = Math.max(1, without, ...values.map(({ count }) => count));
  const ofValues = values.map(({ value, count }) => ({
    ...toValueRow(filters, key, value),
    share: count / most,
    count: count.toLocaleString("en"),
  }));
  const none: ValueRow = {
    id: " without",
    label: <em className="text-muted">without it</em>,
    // Beside shares of numbers, a bar of lines without a value would mean nothing.
    share: ranges.length > 0 ? 0 : without / most,
    count: `${without.toLocaleString("en")}${ranges.length > 0 ? ` ${without === 1 ? "line" : "lines"}` : ""}`,
    ...toggleFlag(filters, `!has:${key}`),
  };
  const rows = ranges.length > 0 ? toRangeRows(filters, key, ranges) : ofValues;
  return (
    <section className="log-values" aria-label={`Lines by ${key}`}>
      <header>
        <h2>
          Lines by <code>{key}</code>
        </h2>
        {numbers && <NumberFigures numbers={numbers} />}
        <Link
          to={toLogsPath(filters, { by: null })}
          preventScrollReset
          aria-label={`Count no more by ${key}`}
          className="log-values-close"
        >
          <X aria-hidden="true" className="size-4" />
        </Link>
      </header>
      {values.length === 0 ? (
        <p className="text-muted">No line that matches has it.</p>
      ) : (
        <LogValueList label={`Values of ${key}`} rows={without > 0 ? [...rows, none] : rows} />
      )}
      {ranges.length === 0 && hasMore && (
        <p className="text-muted">The {values.length} most frequent. There are others, which are rarer.</p>
      )}
      {countedFrom > from && (
        <p className="text-muted">
          Counted from <LogTime occurredUs={countedFrom * 1000} precision="minute" /> on: it takes too long for the
          rest.
        </p>
      )}
    </section>
  );
}

function toRangeRows(filters: LogFilters, key: string, ranges: readonly NumberRange[]): ValueRow[] {
  const most = Math.max(...ranges.map(({ share }) => share));
  return ranges.map((range) => ({
    id: `${range.from} ${range.to}`,
    label: sayRange(range),
    share: range.share / most,
    count: formatShare(range.share),
    isIn: isInRange(filters.search, key, range),
    to: toLogsPath(filters, { search: toggleRange(filters.search, key, range) }),
  }));
}
