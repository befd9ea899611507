import { workspaceContext } from "../../context.ts";
import { exportAudit } from "../../features/audit/export-audit.server.ts";
import { readAuditQuery } from "../../features/audit/list-audit.server.ts";
import type { Route } from "./+types/audit-export.ts";

/** The entries that the page's search finds, as a file. */
export function loader({ context, url }: Route.LoaderArgs) {
  const format = url.searchParams.get("format");
  if (format !== "csv" && format !== "json") throw new Response("The format must be csv or json.", { status: 400 });
  const { search } = readAuditQuery(url.searchParams);
  const body = exportAudit(context.get(workspaceContext), { format, search, now: Date.now() });
  if (body === null) throw new Response("The search is not understood. The page says where.", { status: 400 });
  return new Response(body, {
    headers: {
      "content-type": format === "csv" ? "text/csv; charset=utf-8" : "application/json; charset=utf-8",
      "content-disposition": `attachment; filename="audit-log.${format}"`,
      "cache-control": "no-store",
    },
  });
}
