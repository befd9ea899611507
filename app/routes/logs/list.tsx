import { useMemo } from "react";
import { Outlet, redirect, useNavigate, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { sayRange } from "../../features/filters/say-range.server.ts";
import { getLogsPage } from "../../features/logs/get-logs-page.server.ts";
import { LogFacets } from "../../features/logs/log-facets.tsx";
import { LogFilterBar } from "../../features/logs/log-filter-bar.tsx";
import { LOG_RANGES, parseLogFilters, toLinesPath, toLogsPath } from "../../features/logs/log-filters.ts";
import { LogHistogram } from "../../features/logs/log-histogram.tsx";
import { LogLines } from "../../features/logs/log-lines.tsx";
import { printPlace } from "../../features/logs/log-place.ts";
import { LOG_ROWS } from "../../features/logs/log-table.tsx";
import { LogValuesPanel } from "../../features/logs/log-values.tsx";
import { LogsEmpty } from "../../features/logs/logs-empty.tsx";
import { findPastedPlace, findPastedTrace, toPastedPath } from "../../features/search/find-pasted-place.server.ts";
import { toPlainSigns } from "../../features/search/to-plain-signs.server.ts";
import { SavedViews } from "../../features/views/saved-views.tsx";
import { keepWhileSame } from "../../navigation/keep-while-same.ts";
import { useComingParams } from "../../navigation/use-coming-params.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useRowKeys } from "../../ui/use-row-keys.ts";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import type { Route } from "./+types/list.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const filters = parseLogFilters(url.searchParams);
  const workspace = context.get(workspaceContext);
  const place = await findPastedPlace(workspace, filters.search, url);
  // The id of a trace leads to its lines, because this page is about lines.
  if (place) {
    const traceId = findPastedTrace(place);
    throw redirect(traceId === null ? toPastedPath(place) : toLogsPath(filters, { search: `trace:${traceId}` }));
  }
  const search = toPlainSigns(filters.search, "logs");
  if (search !== filters.search) throw redirect(toLogsPath(filters, { search }));
  const page = await getLogsPage(workspace, { filters, now: Date.now() });
  const said = filters.window ? [] : sayRange(url.searchParams, LOG_RANGES, filters.range);
  return { ...page, problems: [...said, ...page.problems] };
}

/** Opening a line, or other lines around it, loads no new data of the page. */
export const shouldRevalidate = keepWhileSame(withoutLine);

function withoutLine({ pathname, searchParams }: URL): string {
  return pathname + toLogsPath(parseLogFilters(searchParams), { line: null });
}

export default function LogsRoute({ loaderData: page }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const filters = useMemo(() => parseLogFilters(params), [params]);
  const coming = parseLogFilters(useComingParams());
  const navigate = useNavigate();
  const close = () => {
    if (!filters.line) return leaveRows();
    void navigate(toLogsPath(filters, { line: null }), { preventScrollReset: true });
  };
  useRowKeys(LOG_ROWS);
  useShortcuts({ Escape: close });
  return (
    <>
      <PageHeader
        title="Logs"
        actions={
          <SavedViews
            list="logs"
            path={toLogsPath(filters, { before: null, line: null, isLive: false })}
            place={toLogsPath(filters, { line: filters.line })}
          />
        }
      />
      <LogFilterBar filters={filters} page={page} />
      {page.problems.length > 0 && (
        <Notice tone="warning" className="mt-2">
          {page.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      {page.emptiness !== "no-line" && page.emptiness !== "refused" && <LogHistogram filters={filters} page={page} />}
      {page.values && <LogValuesPanel filters={coming} values={page.values} from={page.summary.from} />}
      <div className="log-columns" data-alone={page.emptiness === "no-line" || undefined}>
        {page.emptiness !== "no-line" && <LogFacets filters={coming} page={page} />}
        <div className="log-frame" data-open={filters.line !== null || undefined}>
          <LogLines
            key={toLinesPath("", filters, filters.before ? { before: printPlace(filters.before) } : {})}
            filters={filters}
            page={page}
            empty={page.emptiness && <LogsEmpty filters={filters} emptiness={page.emptiness} />}
          />
        </div>
        <Outlet />
      </div>
    </>
  );
}

/** New lines are held back while the focus is among the rows. */
function leaveRows(): false {
  if (document.activeElement?.matches(".log-row a")) (document.activeElement as HTMLElement).blur();
  return false;
}

export function meta() {
  return [{ title: "Logs · Culprit" }];
}

export const handle = { section: "logs" };
