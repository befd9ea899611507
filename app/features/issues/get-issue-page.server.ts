import type { Issue } from "../../domain/issue.ts";
import type { Project } from "../../domain/project.ts";
import type { Engine } from "../../engine/engine.ts";
import type { EventFilter, TagDistribution } from "../../stores/event-store.ts";
import type { IssueActivity } from "../../stores/state-store.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";
import { type IssueRange, toIssueRange } from "./issue-range.ts";

/**
 * Tag keys whose distribution stands beside the graph, if the issue has them. Stores count these fast, and each of them
 * costs: what says little about a platform is not asked for.
 */
const PREVIEW_KEYS = {
  client: ["environment", "release", "browser.name", "os.name"],
  server: ["environment", "release", "runtime.name", "transaction", "server_name"],
};
/** Where the application runs at its users'. */
const CLIENT_PLATFORMS = new Set(["javascript", "cocoa", "objc", "swift", "native", "dart", "kotlin", "c"]);
const PREVIEW_COUNT = 4;

export interface IssuePage {
  issue: Issue;
  project: Project;
  range: IssueRange;
  environment: string;
  environments: string[];
  graph: Array<{ at: number; events: number; users: number }>;
  /** Within range and environment. */
  counts: { events: number; users: number };
  tagPreview: TagDistribution[];
  activity: IssueActivity[];
}

/** The issue by number or short id, with what its page shows around any event. Null when there is none. */
export async function getIssuePage(
  engine: Engine,
  { issueId, url, now }: { issueId: string; url: URL; now: number },
): Promise<IssuePage | null> {
  const issue = await findIssue(engine, issueId);
  const project = issue && (await engine.state.getProject(issue.projectId));
  if (!issue || !project) return null;
  const environment = url.searchParams.get("environment") ?? "";
  const range = toIssueRange(url.searchParams.get("period"), { firstSeenAt: issue.firstSeenAt, now });
  const filter = toIssueFilter(issue, { range, environment });
  const { graph } = range;
  const previewKeys = CLIENT_PLATFORMS.has(issue.platform) ? PREVIEW_KEYS.client : PREVIEW_KEYS.server;
  const [series, counts, distributions, activity, environments] = await readStoredEvents(
    engine,
    () =>
      Promise.all([
        engine.events.countOverTime({ ...filter, from: graph.from, to: graph.to }, graph.bucketMs),
        engine.events.count(filter),
        engine.events.tagDistributions(filter, { keys: previewKeys, valuesPerKey: 5 }),
        engine.state.listActivity(issue.id),
        engine.events.listEnvironments([issue.projectId]),
      ]),
    ([, { events }]) => events === 0,
  );
  return {
    issue,
    project,
    range,
    environment,
    environments,
    graph: series,
    counts,
    tagPreview: choosePreview(distributions.tags, previewKeys),
    activity,
  };
}

/** What of the events store belongs to the issue under the page's filters. */
export function toIssueFilter(
  issue: Issue,
  { range, environment }: { range: Pick<IssueRange, "from" | "to">; environment: string },
): EventFilter {
  return {
    projectIds: [issue.projectId],
    issueId: issue.id,
    from: range.from,
    to: range.to,
    ...(environment === "" ? {} : { environments: [environment] }),
  };
}

export async function findIssue(engine: Pick<Engine, "state">, issueId: string): Promise<Issue | null> {
  if (/^\d{1,15}$/.test(issueId)) return engine.state.getIssue(Number(issueId));
  return issueId.length <= 80 ? engine.state.getIssueByShortId(issueId.toUpperCase()) : null;
}

function choosePreview(tags: TagDistribution[], keys: readonly string[]): TagDistribution[] {
  return keys.flatMap((key) => tags.find((tag) => tag.key === key) ?? []).slice(0, PREVIEW_COUNT);
}
