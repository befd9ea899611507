import { useMemo } from "react";
import { redirect, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { findOldLine } from "../../features/logs/find-old-line.server.ts";
import { getOpenLine } from "../../features/logs/get-open-line.server.ts";
import { parseLogFilters, toLogsPath } from "../../features/logs/log-filters.ts";
import { OpenLogLine } from "../../features/logs/open-log-line.tsx";
import type { Route } from "./+types/open-line.ts";

/** The line that is open beside the others. It is a route of its own, so that opening it does not repeat the search. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const filters = parseLogFilters(url.searchParams);
  if (filters.line === null) return null;
  const workspace = context.get(workspaceContext);
  const moved = await findOldLine(workspace, filters.line);
  if (moved !== null) throw redirect(toLogsPath(filters, { line: moved }));
  return (await getOpenLine(workspace, { id: filters.line, around: filters.around })) ?? "missing";
}

export default function OpenLineRoute({ loaderData: open }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const filters = useMemo(() => parseLogFilters(params), [params]);
  return open && <OpenLogLine filters={filters} open={open} />;
}
