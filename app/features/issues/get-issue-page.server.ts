import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import type { Assignee } from "../../domain/issues/triage.ts";
import type { UnsettledEvents } from "../../domain/issues/unsettled-events.ts";
import type { Project } from "../../domain/project.ts";
import type { Resolution } from "../../domain/release.ts";
import { narrowScope } from "../../domain/scope.ts";
import type { TagDistribution } from "../../stores/events/error-events.ts";
import type { IssueActivity } from "../../stores/state/issue-store.ts";
import { listPeriodItems, type PeriodItem } from "../alerts/list-periods.server.ts";
import { nameUsers } from "../events/name-users.server.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";
import { type FeedbackAboutIssue, listFeedbackAboutIssue } from "../feedback/list-feedback-about.server.ts";
import { findCommitUrl } from "../releases/find-commit-url.ts";
import { toReleasePath } from "../releases/release-paths.ts";
import { type ActiveSilence, listActiveSilences } from "../silences/list-silences.server.ts";
import { getReading } from "./change-reader.server.ts";
import { countWithLeftOut, getLeftOut, type LeftOut } from "./get-left-out.server.ts";
import { type IssueTag, readIssuePageFilter } from "./issue-page-filter.ts";
import type { IssueRange } from "./issue-range.ts";
import { getLinks } from "./link-issue.server.ts";
import { listAssigneeChoices } from "./list-assignee-choices.server.ts";
import type { ResolveChoices } from "./resolve-options.tsx";

/**
 * Tag keys whose distribution is shown beside the graph, if the issue has them. Stores count these fast, but each one costs time:
 * keys that say little about a platform are left out.
 */
const PREVIEW_KEYS = {
  client: ["environment", "release", "browser.name", "os.name"],
  server: ["environment", "release", "runtime.name", "transaction", "server_name"],
};
/** Platforms of applications that run on users' devices. */
const CLIENT_PLATFORMS = new Set(["javascript", "cocoa", "objc", "swift", "native", "dart", "kotlin", "c"]);
const PREVIEW_COUNT = 4;

export interface IssuePage {
  /** When reading began, in milliseconds since 1970. Later changes are not in the page. */
  readAt: number;
  issue: Issue;
  project: Project;
  range: IssueRange;
  environment: string;
  environments: string[];
  /** Only events with all these tags count. */
  tags: IssueTag[];
  /** Display names of users, by the values of the tag `user` in `tags`. */
  userNames: Record<string, string>;
  graph: Array<{ at: number; events: number; users: number }>;
  /** Events and users within range, environment and tags. */
  counts: { events: number; users: number };
  tagPreview: TagDistribution[];
  activity: Array<IssueActivity & { commit: FixingCommit | null }>;
  /** Finished deploys of the project within the graph's time, oldest first. */
  deploys: Array<{ at: number; environment: string; version: string }>;
  resolveChoices: ResolveChoices;
  /** Possible assignees. Empty if the reader may not change the issue. */
  assignees: Assignee[];
  reading: Awaited<ReturnType<typeof getReading>>;
  links: Awaited<ReturnType<typeof getLinks>>;
  /** Events that were counted and not stored. Null: every event was stored. */
  leftOut: (LeftOut & { isGraphWhole: boolean }) | null;
  /** Silences in force now that keep alert rules from notifying about the issue. */
  silences: ActiveSilence[];
  /** Periods of alert rules that wait for an acknowledgement, or got one. */
  periods: PeriodItem[];
  /** User feedback about the issue. */
  feedback: FeedbackAboutIssue;
  /** Events that were on their way when the issue was read. */
  unsettled: UnsettledEvents[];
}

/** Reads the issue by number or short id, with everything that its page shows around any event. Null: there is no such issue. */
export async function getIssuePage(
  workspace: Workspace,
  { issueId, url, now }: { issueId: string; url: URL; now: number },
): Promise<IssuePage | null> {
  const found = await findIssue(workspace, issueId);
  if (!found) return null;
  // Read before the issue and its events: if no event is on its way now, the issue's numbers are right.
  const unsettled = await workspace.state.issues.listUnsettled(workspace.scope, found.id);
  const issue = await workspace.state.issues.getIssue(workspace.scope, found.id);
  const project = issue && (await workspace.state.projects.getProject(workspace.scope, issue.projectId));
  if (!issue || !project) return null;
  const {
    range,
    environment,
    tags,
    events: filter,
  } = readIssuePageFilter(workspace.scope, issue, url.searchParams, now);
  const { graph } = range;
  const own = narrowScope(workspace.scope, [issue.projectId]);
  const previewKeys = CLIENT_PLATFORMS.has(issue.platform) ? PREVIEW_KEYS.client : PREVIEW_KEYS.server;
  const users = tags.filter(({ key }) => key === "user").map(({ value }) => value);
  const [
    [series, counts, distributions, activity, environments],
    userNames,
    deploys,
    resolveChoices,
    assignees,
    reading,
    links,
    leftOut,
    feedback,
    silences,
    periods,
  ] = await Promise.all([
    readStoredEvents(
      workspace,
      () =>
        Promise.all([
          workspace.events.countOverTime({ ...filter, from: graph.from, to: graph.to }, graph.bucketMs),
          workspace.events.count(filter),
          workspace.events.tagDistributions(filter, { keys: previewKeys, valuesPerKey: 5 }),
          workspace.state.issues.listActivity(workspace.scope, issue.id),
          workspace.events.listEnvironments(own.projectIds),
        ]),
      ([, { events }]) => events === 0,
    ),
    nameUsers(workspace, filter, users),
    workspace.state.releases.listDeploysBetween(own, graph.from, graph.to),
    listResolveChoices(workspace, issue),
    listAssigneeChoices(workspace, issue.projectId),
    getReading(workspace, issue, now),
    getLinks(workspace, issue, workspace.settings.publicUrl ?? url.origin),
    getLeftOut(workspace, issue, now),
    listFeedbackAboutIssue(workspace, issue.id),
    listActiveSilences(workspace, { projectId: issue.projectId }, now),
    listPeriodItems(workspace, { issueId: issue.id, isOpen: true }),
  ]);
  const counted = leftOut && (await countWithLeftOut(workspace, issue.id, { range, environment, tags }));
  const isWhole = counted !== null && counted.length === series.length;
  return {
    readAt: now,
    issue,
    project,
    silences,
    periods,
    range,
    environment,
    environments,
    tags,
    userNames: Object.fromEntries(userNames),
    graph: isWhole ? series.map((bucket, at) => ({ ...bucket, events: counted[at] ?? bucket.events })) : series,
    counts: isWhole
      ? {
          events: counted.reduce((sum, events) => sum + events, 0),
          users: range.from === null && environment === "" ? issue.userCount : counts.users,
        }
      : counts,
    tagPreview: choosePreview(distributions.tags, previewKeys),
    activity: activity.map((entry) => ({ ...entry, commit: toFixingCommit(entry, project) })),
    deploys: deploys
      .filter((deploy) => environment === "" || deploy.environment === environment)
      .map((deploy) => ({ at: deploy.finishedAt, environment: deploy.environment, version: deploy.version })),
    resolveChoices,
    assignees,
    reading,
    links,
    leftOut: leftOut && { ...leftOut, isGraphWhole: isWhole },
    feedback,
    unsettled,
  };
}

/** The commit whose message says that it fixes the issue. */
export interface FixingCommit {
  id: string;
  /** Its page at the host of its repository, otherwise the list of commits of the release here. */
  url: string;
}

function toFixingCommit({ data }: IssueActivity, project: Project): FixingCommit | null {
  const commit = data.commit as { id: string; repository: string } | undefined;
  const resolution = data.resolution as Resolution | undefined;
  if (commit === undefined || resolution?.kind !== "release") return null;
  return { id: commit.id, url: findCommitUrl([project], commit) ?? toReleasePath(resolution.version, "commits") };
}

/** People choose from a few commits, and type any other. */
const MAX_OFFERED_COMMITS = 20;

/** Choices for issues that can be resolved. Empty for others. */
async function listResolveChoices({ state, scope }: Workspace, issue: Issue): Promise<ResolveChoices> {
  const latest = issue.status === "unresolved" ? await state.releases.getLatestRelease(scope, issue.projectId) : null;
  if (!latest) return { latestRelease: null, repositories: [], commits: [] };
  const withCommits =
    latest.commitCount > 0
      ? latest
      : await state.releases.getPreviousRelease(scope, latest.version, { withCommits: true });
  const commits = withCommits
    ? await state.releases.listCommits(scope, withCommits.version, { limit: MAX_OFFERED_COMMITS })
    : [];
  return {
    latestRelease: latest.version,
    repositories: [...new Set(commits.map(({ repository }) => repository))],
    commits: commits.map(({ id, message }) => ({ id, message: message.slice(0, 100) })),
  };
}

export async function findIssue(workspace: Workspace, issueId: string): Promise<Issue | null> {
  if (/^\d{1,15}$/.test(issueId)) return workspace.state.issues.getIssue(workspace.scope, Number(issueId));
  return issueId.length <= 80 ? workspace.state.issues.getIssueByShortId(workspace.scope, issueId.toUpperCase()) : null;
}

function choosePreview(tags: TagDistribution[], keys: readonly string[]): TagDistribution[] {
  return keys.flatMap((key) => tags.find((tag) => tag.key === key) ?? []).slice(0, PREVIEW_COUNT);
}
