import { redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { answerMarkdown } from "../../features/markdown/answer-markdown.ts";
import { getReleaseMarkdown } from "../../features/releases/get-release-markdown.server.ts";
import { readReleaseParam, toReleasePath } from "../../features/releases/release-paths.ts";
import type { Route } from "./+types/markdown.ts";

/** The release's page as text for a chat or an assistant. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const version = readReleaseParam(params.version);
  const baseUrl = workspace.settings.publicUrl ?? url.origin;
  const text = await getReleaseMarkdown(workspace, { version, baseUrl });
  if (text === null) {
    const named = await workspace.state.releases.getRelease(workspace.scope, `${version}.md`);
    if (named) throw redirect(toReleasePath(named.version));
  }
  return answerMarkdown(text);
}
