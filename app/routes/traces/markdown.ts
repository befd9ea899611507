import { workspaceContext } from "../../context.ts";
import { answerMarkdown } from "../../features/markdown/answer-markdown.ts";
import { getTraceMarkdown } from "../../features/traces/get-trace-markdown.server.ts";
import { readTraceId } from "../../features/traces/trace-options.ts";
import type { Route } from "./+types/markdown.ts";

/** The trace as text for a chat or an assistant. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const traceId = readTraceId(params.traceId);
  const baseUrl = workspace.settings.publicUrl ?? url.origin;
  return answerMarkdown(traceId && (await getTraceMarkdown(workspace, { traceId, baseUrl })));
}
