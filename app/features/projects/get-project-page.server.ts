import type { Workspace } from "../../access/workspace.ts";
import type { Project, ProjectKey } from "../../domain/project.ts";
import { narrowScope } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { ProjectAddresses } from "./platform-snippets.ts";
import { toPlatform } from "./platforms.ts";
import { toDsn, toLoaderUrl } from "./project-dsn.ts";

export interface ProjectPage {
  project: Project;
  /** Addresses with the oldest enabled key. Null: no key is enabled. */
  addresses: ProjectAddresses | null;
  /** The platform whose snippets are shown: the one in the URL, or the project's own. */
  platform: string;
  /** The newest event. Null: there is none. */
  latest: { eventId: string; issueId: number; title: string; occurredAt: number } | null;
  /** Other data that arrived although no event has. A project with such data still waits for its first event, but has something to show. */
  arrived: { hasSpans: boolean; hasLogs: boolean };
}

const SPAN_CATEGORIES = ["transaction", "span"];
const LOG_CATEGORY = "log_item";

export async function getProjectPage(
  workspace: Workspace,
  { project, url, now }: { project: Project; url: URL; now: number },
): Promise<ProjectPage> {
  const [keys, latest, stored] = await Promise.all([
    workspace.state.projects.listKeys(workspace.scope, project.id),
    project.firstEventAt === null
      ? null
      : workspace.events.findEdge(
          { projectIds: narrowScope(workspace.scope, [project.id]).projectIds, from: null, to: null },
          "latest",
        ),
    project.firstEventAt === null
      ? workspace.state.outcomes.sumOutcomes(narrowScope(workspace.scope, [project.id]), {
          from: now - DAY_MS,
          to: now,
          bucketMs: null,
          groupBy: ["category"],
          outcomes: ["accepted"],
          categories: [...SPAN_CATEGORIES, LOG_CATEGORY],
        })
      : [],
  ]);
  const has = (categories: readonly string[]) => stored.some(({ category = "" }) => categories.includes(category));
  const key = keys.filter(({ isEnabled }) => isEnabled).sort((a, b) => a.id - b.id)[0];
  return {
    project,
    addresses: key ? toAddresses(workspace, url, key) : null,
    platform: toPlatform(url.searchParams.get("platform") ?? project.platform).id,
    latest: latest && {
      eventId: latest.eventId,
      issueId: latest.issueId,
      title: latest.title,
      occurredAt: latest.occurredAt,
    },
    arrived: { hasSpans: has(SPAN_CATEGORIES), hasLogs: has([LOG_CATEGORY]) },
  };
}

function toAddresses({ settings }: Workspace, url: URL, key: ProjectKey): ProjectAddresses {
  const baseUrl = settings.publicUrl ?? url.origin;
  return { dsn: toDsn(baseUrl, key), loader: toLoaderUrl(baseUrl, key), tunnel: baseUrl + settings.neutralPath };
}
