import type { Workspace } from "../../access/workspace.ts";
import { escapeMarkdown, inlineCode, toFactLines } from "../markdown/write-markdown.ts";
import { sumProjects } from "./list-releases.server.ts";
import { toReleasePath } from "./release-paths.ts";
import { toIssueItems } from "./to-issue-items.server.ts";

const MAX_ISSUES = 25;
const MAX_COMMITS = 25;

/** A release with its issues, commits and deploys, as Markdown. `baseUrl` has no trailing slash. Null: there is no such release. */
export async function getReleaseMarkdown(
  workspace: Workspace,
  { version, baseUrl }: { version: string; baseUrl: string },
): Promise<string | null> {
  const { state, scope } = workspace;
  const release = await state.releases.getRelease(scope, version);
  if (!release) return null;
  const [projects, ids, seen, commits, deploys] = await Promise.all([
    state.projects.listProjects(scope),
    state.releases.listReleaseIssues(scope, version),
    state.issues.listIssues(scope, {
      release: version,
      from: null,
      to: null,
      sort: "last_seen",
      cursor: null,
      limit: MAX_ISSUES,
    }),
    state.releases.listCommits(scope, version, { limit: MAX_COMMITS }),
    state.releases.listDeploys(scope, version),
  ]);
  const { eventCount, firstEventAt, lastEventAt } = sumProjects(release);
  const slugs = projects.filter(({ id }) => release.projects.some(({ projectId }) => projectId === id));
  const lines = [
    `# Release ${escapeMarkdown(version)}`,
    "",
    `<${baseUrl}${toReleasePath(version)}>`,
    "",
    ...toFactLines([
      ["Projects", slugs.map(({ slug }) => slug).join(", ")],
      ["Events", eventCount],
      ["First event", toTime(firstEventAt)],
      ["Last event", toTime(lastEventAt)],
      ["Created", toTime(release.createdAt)],
      ["Released", toTime(release.releasedAt)],
      ["Built from", release.ref],
      ["Page", release.url],
    ]),
  ];
  const seenIds = seen.issues.map(({ id }) => id);
  for (const [heading, issueIds, count] of [
    ["New issues", ids.newIssueIds, ids.newIssueIds.length],
    ["Came back", ids.regressedIssueIds, ids.regressedIssueIds.length],
    ["Seen", seenIds, seen.matchingCount],
    ["Resolved", ids.resolvedIssueIds, ids.resolvedIssueIds.length],
  ] as const) {
    if (issueIds.length === 0) continue;
    lines.push("", `## ${heading} (${count})`, "");
    for (const { shortId, title, culprit, eventCount: events } of await toIssueItems(
      workspace,
      issueIds.slice(0, MAX_ISSUES),
    ))
      lines.push(
        `- ${inlineCode(shortId)} ${escapeMarkdown(title)}${culprit ? ` in ${inlineCode(culprit)}` : ""}, ${events} events`,
      );
    lines.push(...sayRest(count - MAX_ISSUES));
  }
  if (commits.length > 0) {
    lines.push("", `## Commits (${release.commitCount})`, "");
    for (const { id, message, authorName } of commits)
      lines.push(
        `- ${inlineCode(id.slice(0, 12))} ${escapeMarkdown(message.split("\n", 1)[0] ?? "")}${authorName ? `, ${escapeMarkdown(authorName)}` : ""}`,
      );
    lines.push(...sayRest(release.commitCount - commits.length));
  }
  if (deploys.length > 0) {
    lines.push("", "## Deploys", "");
    for (const { environment, finishedAt } of deploys.slice(0, MAX_COMMITS))
      lines.push(`- ${inlineCode(environment)} ${toTime(finishedAt)}`);
    lines.push(...sayRest(deploys.length - MAX_COMMITS));
  }
  return `${lines.join("\n")}\n`;
}

function sayRest(count: number): string[] {
  return count > 0 ? [`- and ${count} more`] : [];
}

function toTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
