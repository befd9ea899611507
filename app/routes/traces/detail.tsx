import { useRef } from "react";
import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { FlameGraph } from "../../features/traces/flame-graph.tsx";
import { getTracePage } from "../../features/traces/get-trace-page.server.ts";
import { sayMissingTrace } from "../../features/traces/say-missing-trace.ts";
import { assignHues } from "../../features/traces/service-hues.ts";
import { ServiceLegend } from "../../features/traces/service-legend.tsx";
import { SpanDrawer } from "../../features/traces/span-drawer.tsx";
import { SpanStatisticsTable } from "../../features/traces/span-statistics-table.tsx";
import { TraceArriving } from "../../features/traces/trace-arriving.tsx";
import { TraceErrors } from "../../features/traces/trace-errors.tsx";
import { TraceHeader } from "../../features/traces/trace-header.tsx";
import { TraceLogs } from "../../features/traces/trace-logs.tsx";
import { readTraceId, writeTraceOptions } from "../../features/traces/trace-options.ts";
import { ClockChoice, TraceToolbar } from "../../features/traces/trace-toolbar.tsx";
import { useTraceKeys } from "../../features/traces/use-trace-keys.ts";
import { useTraceWindow } from "../../features/traces/use-trace-window.ts";
import { Waterfall } from "../../features/traces/waterfall.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useKeptFocus } from "../../ui/kept-focus.tsx";
import type { Route } from "./+types/detail.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const traceId = readTraceId(params.traceId);
  const page = traceId && (await getTracePage(workspace, { traceId, search: url.searchParams }));
  if (!page) {
    throw data(`There is no such trace. ${sayMissingTrace(workspace)}`, { status: 404 });
  }
  return page;
}

export default function TraceDetailPage({ loaderData }: Route.ComponentProps) {
  const { content, services, span } = loaderData;
  const view = useTraceWindow(loaderData);
  // What is pressed before the server has answered keeps what was pressed before it.
  const page = { ...loaderData, options: view.options };
  useTraceKeys(page);
  const hues = assignHues(services.map(({ name }) => name));
  const top = useRef<HTMLDivElement>(null);
  const rows = useKeptFocus<HTMLDivElement>(findView);
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div ref={rows}>
        <div ref={top}>
          <TraceHeader page={page} />
        </div>
        <TraceArriving page={page} top={top} rows={rows} />
        <ClockChoice page={page} />
        <Card className="trace-card">
          <TraceToolbar page={page} />
          <ServiceLegend page={page} hues={hues} />
          {content.view !== "logs" && page.spanCount === 0 && (
            <EmptyState isOfEvents title="No spans">
              Only the errors and log lines of this trace are known.
            </EmptyState>
          )}
          {page.spanCount > 0 && content.view !== "logs" && (
            <div className="trace-split" data-open={span !== null || undefined}>
              {content.view === "waterfall" && (
                // Another list of rows begins at its top. Another window of time keeps the active span.
                <Waterfall
                  key={`${page.traceId} ${writeTraceOptions({ ...loaderData.options, window: null, folded: [], spanKey: null })}`}
                  page={page}
                  view={view}
                  rows={content.rows}
                  loaded={loaderData.options}
                  hues={hues}
                />
              )}
              {content.view === "flame" && (
                <FlameGraph key={page.traceId} page={page} view={view} flame={content.flame} hues={hues} />
              )}
              {content.view === "statistics" && (
                <div className="min-w-0">
                  <SpanStatisticsTable page={page} hues={hues} {...content} view={view} />
                </div>
              )}
              {span && <SpanDrawer page={page} span={span} />}
            </div>
          )}
          {content.view === "logs" && <TraceLogs page={page} logs={content.logs} />}
        </Card>
      </div>
      <TraceErrors errors={page.errors} />
    </article>
  );
}

/**
 * The part that handles the keys after the details were closed or other spans are shown. It is the list of spans; if they are no tree, it
 * is the tab of the spans.
 */
function findView(rows: HTMLElement): HTMLElement | null {
  return rows.querySelector<HTMLElement>("[role=treegrid], [role=tree]") ?? rows.querySelector("[aria-current=page]");
}

export function meta({ loaderData }: Route.MetaArgs) {
  const { op, name } = loaderData?.root ?? {};
  return [{ title: `${[op, name].filter(Boolean).join(" ") || "Trace"} · Culprit` }];
}

export const handle = { section: "traces" };
