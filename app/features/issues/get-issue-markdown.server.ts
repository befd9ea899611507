import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { narrowScope } from "../../domain/scope.ts";
import { readStoredEvent, sayWithoutDetails } from "../events/get-event-markdown.server.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";
import { toEventFacts, toEventSections } from "../events/stack-text.ts";
import { escapeMarkdown, toFactLines } from "../markdown/write-markdown.ts";
import { findIssue } from "./get-issue-page.server.ts";

/** An issue with its latest event, as Markdown. `baseUrl` has no trailing slash. Null: there is no such issue. */
export async function getIssueMarkdown(
  workspace: Workspace,
  { issueId, baseUrl }: { issueId: string; baseUrl: string },
): Promise<string | null> {
  const issue = await findIssue(workspace, issueId);
  const project = issue && (await workspace.state.projects.getProject(workspace.scope, issue.projectId));
  if (!issue || !project) return null;
  const { projectIds } = narrowScope(workspace.scope, [issue.projectId]);
  const latest = await readStoredEvents(
    workspace,
    () => workspace.events.findEdge({ projectIds, issueId: issue.id, from: null, to: null }, "latest"),
    (row) => row === null,
  );
  const stored = latest && (await readStoredEvent(workspace, latest));
  const lines = [
    `# ${escapeMarkdown(`${issue.shortId}: ${toTitle(issue)}`)}`,
    "",
    `<${baseUrl}/issues/${issue.id}>`,
    "",
    ...toFactLines([
      ["Project", project.slug],
      ["Status", issue.status === "unresolved" ? `unresolved, ${issue.substatus}` : issue.status],
      ["Level", issue.isUnhandled ? `${issue.level}, unhandled` : issue.level],
      ["Where", issue.culprit],
      ["Events", issue.eventCount],
      ["Users", issue.userCount],
      ["First seen", toSeen(issue.firstSeenAt, issue.firstRelease)],
      ["Last seen", toSeen(issue.lastSeenAt, issue.lastRelease)],
    ]),
  ];
  if (stored) lines.push("", "## Latest event", "", ...toEventFacts(stored.event), ...toEventSections(stored.event));
  else {
    const details = latest === null ? "not stored any more" : await sayWithoutDetails(workspace, latest);
    lines.push("", `The details of its latest event are ${details}.`);
  }
  return `${lines.join("\n")}\n`;
}

function toTitle({ type, value, title }: Issue): string {
  const line = value.split("\n", 1)[0] ?? "";
  return type !== null && line !== "" ? `${type}: ${line}` : title;
}

function toSeen(at: number, release: string | null): string {
  return `${new Date(at).toISOString()}${release === null ? "" : ` in ${release}`}`;
}
