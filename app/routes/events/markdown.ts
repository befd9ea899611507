import { workspaceContext } from "../../context.ts";
import { getEventMarkdown } from "../../features/events/get-event-markdown.server.ts";
import { answerMarkdown } from "../../features/markdown/answer-markdown.ts";
import type { Route } from "./+types/markdown.ts";

/** An event's page as text for a chat or an assistant. The issue in the path does not matter: an event may have moved. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const baseUrl = workspace.settings.publicUrl ?? url.origin;
  return answerMarkdown(await getEventMarkdown(workspace, { eventId: params.eventId, baseUrl }));
}
