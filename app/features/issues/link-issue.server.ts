import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import {
  MAX_EXTERNAL_ISSUES,
  TRACKER_LABELS,
  toExternalName,
  toFormUrl,
  toWebUrl,
} from "../../domain/issues/tracker.ts";
import type { ExternalIssue, ExternalIssueResult } from "../../stores/state/external-issue-store.ts";

/** Prefix of an undo field that restores a removed link. The link's address follows. */
export const LINK_UNDO = "link/";

type LinkAnswer = { ok: true; link: ExternalIssue } | { ok: false; status: 400 | 404; message: string };

/** Links the issue to a task in another tracker, by the task's address. */
export async function linkIssue(
  { state, scope, user }: Workspace,
  { issue, url: text, now }: { issue: Issue; url: string; now: number },
): Promise<LinkAnswer> {
  const url = toWebUrl(text);
  if (url === null)
    return { ok: false, status: 400, message: "url: Must be an address that begins with https:// or http://." };
  const link = { issueId: issue.id, url: url.href, name: toExternalName(url), userId: user?.id ?? null, at: now };
  return toAnswer(await state.externalIssues.addExternalIssue(scope, link));
}

export async function unlinkIssue(
  { state, scope, user }: Workspace,
  { issue, linkId, now }: { issue: Issue; linkId: number; now: number },
): Promise<LinkAnswer> {
  const of = { issueId: issue.id, linkId, userId: user?.id ?? null, at: now };
  return toAnswer(await state.externalIssues.removeExternalIssue(scope, of));
}

/** The linked tasks, and the form for a new one. `baseUrl`: the address of this server. */
export async function getLinks({ state, scope }: Workspace, issue: Issue, baseUrl: string) {
  const [links, tracker] = await Promise.all([
    state.externalIssues.listExternalIssues(scope, issue.id),
    state.externalIssues.getTracker(scope, issue.projectId),
  ]);
  const form = tracker && {
    label: TRACKER_LABELS[tracker.kind],
    address: tracker.address,
    url: toFormUrl(tracker, describeIssue(issue, baseUrl)),
  };
  return { links, form };
}

/** Contains no data of users. The person who creates the task sees the text, and can change it, before saving. */
function describeIssue(issue: Issue, baseUrl: string): { title: string; body: string } {
  const lines = [
    issue.value === issue.title ? null : issue.value.slice(0, 1_000),
    issue.culprit && `Where: ${issue.culprit}`,
    issue.lastRelease && `Release: ${issue.lastRelease}`,
    `${issue.eventCount.toLocaleString("en")} events since ${new Date(issue.firstSeenAt).toISOString().slice(0, 10)}`,
    `${baseUrl}/issues/${issue.id}`,
  ];
  return { title: `${issue.shortId}: ${issue.title}`.slice(0, 250), body: lines.filter(Boolean).join("\n\n") };
}

function toAnswer(result: ExternalIssueResult): LinkAnswer {
  if (result.ok) return result;
  switch (result.reason) {
    case "not-found":
      return { ok: false, status: 404, message: "There is no such link." };
    case "known":
      return { ok: false, status: 400, message: "url: The issue is linked to it already." };
    case "too-many":
      return { ok: false, status: 400, message: `An issue has at most ${MAX_EXTERNAL_ISSUES} links.` };
  }
}
