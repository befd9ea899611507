import { type CSSProperties, useId } from "react";
import { Link, useNavigate } from "react-router";
import { LOG_SEVERITIES } from "../../domain/logs/log-severity.ts";
import { useKeptFocus } from "../../ui/kept-focus.tsx";
import type { LogsPage } from "./get-logs-page.server.ts";
import { isFiltered, type LogFilters, toggleFilter, toLogsPath } from "./log-filters.ts";
import { useRovingFocus } from "./use-roving-focus.ts";

/** Values with their counts. A press takes one into the search, or out of it again; with Alt it leaves the value out. */
export function LogFacets({ filters, page: { summary, attributes } }: { filters: LogFilters; page: LogsPage }) {
  const { serverAddress, ...facets } = summary.facets;
  const severities = LOG_SEVERITIES.toReversed().flatMap((value) => {
    const count = summary.buckets.reduce((sum, each) => sum + (each.severity === value ? each.count : 0), 0);
    return count > 0 ? { value, count } : [];
  });
  const lists = [
    { key: "severity", values: severities },
    ...Object.entries({ ...facets, "server.address": serverAddress }).map(([key, values]) => ({ key, values })),
  ].filter(({ values }) => values.length > 0);
  const list = useKeptFocus<HTMLElement>();
  return (
    <aside ref={list} tabIndex={-1} className="log-facets" aria-label="Facets">
      {lists.map((list) => (
        <Facet key={list.key} filters={filters} facetKey={list.key} values={list.values} />
      ))}
      {attributes.length > 0 && <p className="text-muted text-xs">Attributes of all lines in this time:</p>}
      {attributes.map((list) => (
        <Facet key={list.key} filters={filters} facetKey={list.key} values={list.values} isCut={list.isCut} />
      ))}
    </aside>
  );
}

function Facet({
  filters,
  facetKey,
  values,
  isCut = false,
}: {
  filters: LogFilters;
  facetKey: string;
  values: ReadonlyArray<{ value: string; count: number }>;
  /** The counts are lower bounds. */
  isCut?: boolean;
}) {
  const navigate = useNavigate();
  const titleId = useId();
  const { group, toTabIndex } = useRovingFocus({ links: 2 * values.length, columns: 2 });
  const most = Math.max(1, ...values.map(({ count }) => count));
  const to = (value: string, isNegated = false) =>
    toLogsPath(filters, { search: toggleFilter(filters.search, facetKey, value, { isNegated }) });
  return (
    <section>
      <h2 id={titleId}>{facetKey}</h2>
      <div {...group} role="toolbar" aria-orientation="vertical" aria-labelledby={titleId}>
        <ul>
          {values.map(({ value, count }, row) => (
            <li key={value} data-in={isFiltered(filters.search, facetKey, value) || undefined}>
              <Link
                to={to(value)}
                className="log-facet"
                tabIndex={toTabIndex(2 * row)}
                style={{ "--share": `${(count / most) * 100}%` } as CSSProperties}
                onClick={(event) => {
                  if (!event.altKey) return;
                  event.preventDefault();
                  void navigate(to(value, true));
                }}
              >
                <bdi className="min-w-0 flex-1 truncate">{value}</bdi>
                <span className="tabular">
                  {isCut && "at least "}
                  {count.toLocaleString("en")}
                </span>
              </Link>
              <Link
                to={to(value, true)}
                aria-label={`Leave out ${facetKey} ${value}`}
                className="log-facet-out"
                tabIndex={toTabIndex(2 * row + 1)}
              >
                −
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
