import { workspaceContext } from "../../context.ts";
import { getEventMarkdown } from "../../features/events/get-event-markdown.server.ts";
import { answerMarkdown } from "../../features/markdown/answer-markdown.ts";
import { getProfileMarkdown } from "../../features/profiles/get-profile-markdown.server.ts";
import type { Route } from "./+types/markdown.ts";

/**
 * The page of an event or a profile as text for a chat or an assistant. The issue in the path does not matter, because an event may have
 * moved to another one.
 */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const baseUrl = workspace.settings.publicUrl ?? url.origin;
  const event = await getEventMarkdown(workspace, { eventId: params.eventId, baseUrl });
  const search = url.searchParams;
  return answerMarkdown(event ?? (await getProfileMarkdown(workspace, { id: params.eventId, search, baseUrl })));
}
