import { workspaceContext } from "../../context.ts";
import { answerMarkdown } from "../../features/markdown/answer-markdown.ts";
import { getTimelineMarkdown } from "../../features/timeline/get-timeline-markdown.server.ts";
import { readTimelineOptions } from "../../features/timeline/timeline-options.ts";
import type { Route } from "./+types/timeline-markdown.ts";

/** A timeline as text for a chat or an assistant, with the window and the clocks that the address names. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const baseUrl = workspace.settings.publicUrl ?? url.origin;
  const options = readTimelineOptions(url.searchParams);
  const { eventId } = params;
  return answerMarkdown(await getTimelineMarkdown(workspace, { eventId, options, baseUrl, now: Date.now() }));
}
