import { data, Outlet, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import {
  acknowledgeIssue,
  readPeriodIds,
  withdrawAcknowledgement,
} from "../../features/alerts/acknowledge-issue.server.ts";
import { OpenPeriodsNotice } from "../../features/alerts/open-periods-notice.tsx";
import { deleteEvent } from "../../features/events/delete-event.server.ts";
import { toEventId } from "../../features/events/event-id.ts";
import { withoutViewParameters } from "../../features/events/stack-options.ts";
import { undoMerges } from "../../features/grouping/merge-issues.server.ts";
import { changeLinks, LINK_INTENTS } from "../../features/issues/change-links.server.ts";
import { changeStatus, mergeOther } from "../../features/issues/change-status.server.ts";
import { toCurrentIssuePath } from "../../features/issues/current-issue-path.ts";
import { deleteIssues } from "../../features/issues/delete-issues.server.ts";
import { DISCUSSION_INTENTS, discussIssue } from "../../features/issues/discuss-issue.server.ts";
import { findIssue, getIssuePage } from "../../features/issues/get-issue-page.server.ts";
import { IssueBar } from "../../features/issues/issue-bar.tsx";
import { IssueHeader } from "../../features/issues/issue-header.tsx";
import { IssuePageNewsStrip } from "../../features/issues/issue-page-news-strip.tsx";
import { SnoozedNotice } from "../../features/issues/snooze-options.tsx";
import { toTabTitle } from "../../features/issues/tab-title.ts";
import { triageIssue } from "../../features/issues/triage-issue.server.ts";
import { UnsettledNotice } from "../../features/issues/unsettled-notice.tsx";
import { useIssueKeys } from "../../features/issues/use-issue-keys.ts";
import { useNoteSeen } from "../../features/issues/use-note-seen.ts";
import { SilenceNotices } from "../../features/silences/silence-notice.tsx";
import { keepWhileSame } from "../../navigation/keep-while-same.ts";
import type { Route } from "./+types/detail.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const page = await getIssuePage(context.get(workspaceContext), { issueId: params.issueId, url, now: Date.now() });
  if (!page) throw data("There is no such issue.", { status: 404 });
  const currentPath = toCurrentIssuePath(page.issue, params.issueId, url);
  // The redirect is not permanent, because a merge can be undone, and a browser that keeps the redirect would never ask for the issue
  // again.
  if (currentPath !== null) throw redirect(currentPath);
  return page;
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  const form = await request.formData();
  const now = Date.now();
  const intent = form.get("intent");
  if (intent === "delete") {
    await deleteIssues(workspace, { issues: [issue.id], now });
    return redirect("/issues");
  }
  if (intent === "delete-event") {
    const eventId = toEventId(String(form.get("event") ?? ""));
    const { projectId } = issue;
    const deleted = eventId === null ? null : await deleteEvent(workspace, { eventId, projectId, now });
    if (!deleted?.ok) throw data("This issue has no such event.", { status: 404 });
    return redirect(deleted.isIssueDeleted ? "/issues" : `/issues/${deleted.issueId}`);
  }
  if (DISCUSSION_INTENTS.includes(String(intent))) {
    const said = await discussIssue(workspace, { issue, form, now });
    return said.ok ? said : data(said, { status: 400 });
  }
  if (intent === "merge-other" || intent === "merge-other-once") {
    const merged = await mergeOther(workspace, { issue, form, now });
    return merged.ok ? merged : data(merged, { status: 400 });
  }
  if (intent === "undo-merge") {
    const mergeId = Number(form.get("merge")) || 0;
    const undone = await undoMerges(workspace, { mergeIds: [mergeId], now });
    if (!undone.ok) throw data(undone.message, { status: undone.status });
    return redirect(`/issues/${undone.merges[0]?.merged.issueId ?? issue.id}`);
  }
  if (LINK_INTENTS.includes(String(intent))) {
    const linked = await changeLinks(workspace, { issue, form, now });
    return linked.ok ? linked : data(linked, { status: 400 });
  }
  if (intent === "acknowledge" || intent === "withdraw") {
    const done =
      intent === "acknowledge"
        ? await acknowledgeIssue(workspace, { issue, via: "page", now })
        : await withdrawAcknowledgement(workspace, { issue, periodIds: readPeriodIds(form), now });
    return done.ok ? { ...done, status: issue.status, undo: null } : data(done, { status: 400 });
  }
  const isTriage = intent === "assign" || intent === "priority";
  const result = await (isTriage ? triageIssue : changeStatus)(workspace, { issue, form, now });
  return result.ok ? { ...result, at: Date.now() } : data(result, { status: 400 });
}

/** Going to another event of the issue, or to another view of a stack, keeps the header, the graph and the counts. */
export const shouldRevalidate = keepWhileSame((url, { issueId }) => `${issueId} ${withoutViewParameters(url)}`);

export default function IssuePage({ loaderData, actionData }: Route.ComponentProps) {
  const { issue, project, reading } = loaderData;
  useIssueKeys();
  useNoteSeen(issue.id);
  return (
    <article className="issue-page">
      <IssuePageNewsStrip
        issue={issue}
        readAt={loaderData.readAt}
        newestActivityId={loaderData.activity[0]?.id ?? null}
      />
      <IssueHeader
        issue={issue}
        readAt={loaderData.readAt}
        project={project}
        resolveChoices={loaderData.resolveChoices}
        assignees={loaderData.assignees}
        leftOut={loaderData.leftOut}
        result={actionData ?? null}
      />
      {loaderData.unsettled.length > 0 && (
        <div className="grid gap-2 pt-2">
          <UnsettledNotice issueId={issue.id} unsettled={loaderData.unsettled} />
        </div>
      )}
      {loaderData.silences.length > 0 && (
        <div className="grid gap-2 pt-2">
          <SilenceNotices silences={loaderData.silences} />
        </div>
      )}
      {loaderData.periods.length > 0 && (
        <div className="grid gap-2 pt-2">
          <OpenPeriodsNotice issueId={issue.id} periods={loaderData.periods} />
        </div>
      )}
      {reading.snoozedUntil !== null && (
        <div className="grid gap-2 pt-2">
          <SnoozedNotice issueId={issue.id} until={reading.snoozedUntil} />
        </div>
      )}
      <IssueBar page={loaderData} />
      <Outlet context={loaderData} />
    </article>
  );
}

export function meta({ loaderData, location }: Route.MetaArgs) {
  return [{ title: `${loaderData ? toTabTitle(loaderData.issue, location.pathname) : "Issue"} · Culprit` }];
}

export const handle = { section: "issues" };
