import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { changeReader, READER_CHANGES } from "../../features/issues/change-reader.server.ts";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import { readSnoozeForm } from "../../features/issues/read-snooze-form.ts";
import { snoozeIssues } from "../../features/issues/snooze-issues.server.ts";
import type { Route } from "./+types/mine.ts";

const INTENTS = [...Object.keys(READER_CHANGES), "snooze", "unsnooze"];

/** Changes settings of the reader alone: who may see an issue may subscribe to it, bookmark it and snooze it. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const now = Date.now();
  // Without script the answer is the page. With script the page stays open.
  const isPage = request.headers.get("accept")?.includes("text/html");
  const done = () => (isPage ? redirect(`/issues/${issue.id}`) : new Response(null, { status: 204 }));
  if (intent === "snooze" || intent === "unsnooze") {
    const read = intent === "snooze" ? readSnoozeForm(form, now) : ({ ok: true, until: null } as const);
    if (!read.ok) return data(read.message, { status: 400 });
    await snoozeIssues(workspace, { issues: [issue.id], until: read.until, now });
    return done();
  }
  const change = Object.hasOwn(READER_CHANGES, intent) ? READER_CHANGES[intent] : undefined;
  if (!change) throw data(`intent: Must be one of ${INTENTS.join(", ")}.`, { status: 400 });
  await changeReader(workspace, { issues: [issue.id], ...change, now });
  return done();
}

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/issues/${params.issueId}`);
}
