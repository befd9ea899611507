import { Link } from "react-router";
import { LOG_SEVERITIES } from "../../domain/logs/log-severity.ts";
import { useKeptFocus } from "../../ui/kept-focus.tsx";
import type { LogsPage } from "./get-logs-page.server.ts";
import { type LogFilters, toLogsPath } from "./log-filters.ts";
import { LogValueList, toValueRow } from "./log-value-list.tsx";

/** Values with their counts. A click adds the value to the search, or removes it again. With Alt, the click excludes the value. */
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
      {lists.map(({ key, values }) => (
        <Facet key={key} filters={filters} facetKey={key} values={values} />
      ))}
      {attributes.length > 0 && <p className="text-muted text-xs">Attributes of all lines in this time:</p>}
      {attributes.map(({ key, values, isCut, isNumeric }) =>
        // A few of many numbers say nothing about the others.
        isCut && isNumeric ? (
          <section key={key}>
            <h2>{key}</h2>
            <Link to={toLogsPath(filters, { by: key })} className="px-1.5 underline" preventScrollReset>
              How its numbers spread
            </Link>
          </section>
        ) : (
          <Facet key={key} filters={filters} facetKey={key} values={values} isCut={isCut} />
        ),
      )}
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
  /** Whether the counts are lower bounds. */
  isCut?: boolean;
}) {
  const most = Math.max(1, ...values.map(({ count }) => count));
  const rows = values.map((each) => ({
    ...toValueRow(filters, facetKey, each.value),
    share: each.count / most,
    count: `${isCut ? "at least " : ""}${each.count.toLocaleString("en")}`,
  }));
  return (
    <section>
      <h2>{facetKey}</h2>
      <LogValueList label={facetKey} rows={rows} />
    </section>
  );
}
