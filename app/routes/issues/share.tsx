import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import { changeSharing, getSharing } from "../../features/issues/share-issue.server.ts";
import { SharePanel } from "../../features/issues/share-panel.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/share.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  return await getSharing(workspace, issue.id, Date.now());
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  const result = await changeSharing(workspace, { issue, form: await request.formData(), now: Date.now() });
  const base = workspace.settings.publicUrl ?? url.origin;
  const link = result.ok && result.token !== null ? `${base}/share/issue/${result.token}` : null;
  return data({ result, link }, { status: result.ok ? 200 : result.status, headers: { "cache-control": "no-store" } });
}

export default function ShareIssuePage({ loaderData, actionData }: Route.ComponentProps) {
  useAnswerInSight();
  return <SharePanel sharing={loaderData} result={actionData?.result ?? null} link={actionData?.link ?? null} />;
}

export const handle = { section: "issues" };
