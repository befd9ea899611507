import type { Workspace } from "../../access/workspace.ts";
import type { Feedback } from "../../domain/feedback/feedback.ts";
import type { Assignee } from "../../domain/issues/triage.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";
import { bindSearch } from "../../domain/search/bind-search.ts";
import { allOf, type Condition } from "../../domain/search/condition.ts";
import { FEEDBACK_VOCABULARY } from "../../domain/search/feedback-vocabulary.ts";
import { type ParsedSearch, parseSearch } from "../../domain/search/parse-search.ts";
import type { Vocabulary } from "../../domain/search/search-field.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import type { ItemRow } from "../../stores/events/items.ts";
import type { FeedbackCounts } from "../../stores/state/feedback-store.ts";
import { listAttachments } from "../events/get-attachment.server.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";
import { listAssigneeChoices } from "../issues/list-assignee-choices.server.ts";
import { findUnknownProjects, resolveSearchNames } from "../issues/resolve-search-names.server.ts";
import type { FeedbackFilters } from "./feedback-filters.ts";
import { MAX_REPLAY_PARTS } from "./feedback-words.ts";

const FEEDBACK_PER_PAGE = 25;

export interface FeedbackProject {
  slug: string;
  name: string;
  platform: string;
}

export interface FeedbackListItem extends Feedback {
  project: FeedbackProject;
}

/** A piece of feedback with what it leads to. */
export interface OpenFeedback extends FeedbackListItem {
  issue: { id: number; shortId: string; title: string } | null;
  /** Whether the event about which it was sent is stored. */
  hasEvent: boolean;
  /** The number of stored parts of its replay's recording, at most `MAX_REPLAY_PARTS`. 0: it has no replay. */
  replayParts: number;
  /** The oldest of its files. */
  files: FeedbackFile[];
  hasMoreFiles: boolean;
  /** The members and teams to whom it can be assigned. */
  assignees: Assignee[];
}

export interface FeedbackFile {
  /** The path of the file, of the form `/attachments/:eventId/:item`. */
  path: string;
  name: string;
  /** Bytes. Null: unknown. */
  size: number | null;
}

export interface FeedbackInbox {
  feedback: FeedbackListItem[];
  nextBefore: number | null;
  counts: FeedbackCounts;
  projects: FeedbackProject[];
  environments: string[];
  /** The parts of the search that are not understood, and where they are. If there are any, nothing was searched. */
  errors: SearchError[];
  /** Sentences about what may be missing. */
  problems: string[];
}

/** One page of the inbox. `now`: milliseconds since 1970. */
export async function getFeedbackInbox(
  workspace: Pick<Workspace, "state" | "events" | "scope">,
  { filters, now }: { filters: FeedbackFilters; now: number },
): Promise<FeedbackInbox> {
  const { state, events } = workspace;
  const projects = await state.projects.listProjects(workspace.scope);
  const bySlug = new Map(projects.map((project) => [project.slug, project]));
  const unknown = filters.projectSlugs.filter((slug) => !bySlug.has(slug));
  const chosen = filters.projectSlugs.flatMap((slug) => bySlug.get(slug)?.id ?? []);
  const scope = filters.projectSlugs.length > 0 ? narrowScope(workspace.scope, chosen) : workspace.scope;
  const search = parseSearch(filters.search);
  const question = { environments: filters.environments, scope, now };
  const { where, errors, notes } = await findFeedbackFilter(workspace, search, question);
  const [page, counts, environments] = await Promise.all([
    errors.length > 0
      ? { feedback: [], nextBefore: null }
      : state.feedback.listFeedback(scope, {
          status: filters.tab,
          where,
          before: filters.before,
          limit: FEEDBACK_PER_PAGE,
        }),
    state.feedback.countFeedback(scope),
    events.listEnvironments(workspace.scope.projectIds),
  ]);
  const byId = new Map(projects.map((project) => [project.id, project]));
  return {
    feedback: page.feedback.flatMap((each) => withProject(each, byId)),
    nextBefore: page.nextBefore,
    counts,
    projects: projects.map(({ slug, name, platform }) => ({ slug, name, platform })),
    environments,
    errors,
    problems: [...unknown.map((slug) => `There is no project “${slug}”.`), ...notes],
  };
}

/** Null: the scope has no such feedback. */
export async function getOpenFeedback(
  workspace: Pick<Workspace, "state" | "events" | "scope" | "user" | "whenEventsStored">,
  id: number,
): Promise<OpenFeedback | null> {
  const { state, events, scope } = workspace;
  const feedback = await state.feedback.getFeedback(scope, id);
  if (feedback === null) return null;
  const { projectId, issueId, aboutEventId, eventId, replayId } = feedback;
  const ofProject = narrowScope(scope, [projectId]);
  const [project, issue, event, files, recorded, assignees] = await Promise.all([
    state.projects.getProject(scope, projectId),
    issueId === null ? null : state.issues.getIssue(scope, issueId),
    aboutEventId === null ? null : events.getEvent(aboutEventId, ofProject.projectIds),
    eventId === null
      ? { rows: [], hasMore: false }
      : readStoredEvents(
          workspace,
          () => listAttachments(workspace, ofProject, eventId),
          ({ rows }) => rows.length === 0,
        ),
    replayId === null
      ? []
      : events.listItems({
          projectIds: ofProject.projectIds,
          eventId: replayId,
          types: ["replay_recording", "replay_video"],
          limit: MAX_REPLAY_PARTS,
        }),
    listAssigneeChoices(workspace, projectId),
  ]);
  if (!project) return null;
  return {
    ...feedback,
    project: { slug: project.slug, name: project.name, platform: project.platform },
    issue: issue && { id: issue.id, shortId: issue.shortId, title: issue.title },
    hasEvent: event !== null,
    replayParts: recorded.length,
    files: files.rows.map(toFile),
    hasMoreFiles: files.hasMore,
    assignees,
  };
}

function toFile({ eventId, sequence, itemIndex, name, contentBytes }: ItemRow): FeedbackFile {
  return {
    path: `/attachments/${eventId}/${sequence}-${itemIndex}`,
    name: name ?? "unnamed file",
    size: contentBytes,
  };
}

function withProject(
  feedback: Feedback,
  byId: ReadonlyMap<number, FeedbackProject & { id: number }>,
): FeedbackListItem[] {
  const project = byId.get(feedback.projectId);
  if (project === undefined) return [];
  const { slug, name, platform } = project;
  return [{ ...feedback, project: { slug, name, platform } }];
}

/** The filter for a search and the chosen environments. `now`: milliseconds since 1970. */
export async function findFeedbackFilter(
  workspace: Pick<Workspace, "state" | "scope">,
  { tree, errors: unread }: ParsedSearch,
  {
    environments = [],
    scope,
    now,
    vocabulary = FEEDBACK_VOCABULARY,
  }: { environments?: readonly string[]; scope: Scope; now: number; vocabulary?: Vocabulary },
): Promise<{ where: Condition; errors: SearchError[]; notes: string[] }> {
  const { condition, errors: unbound } = bindSearch(tree, vocabulary, now);
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const errors = [...unread, ...unbound, ...findUnknownProjects(tree, projects)];
  if (errors.length > 0)
    return { where: condition, errors: errors.sort((one, other) => one.from - other.from), notes: [] };
  const { condition: resolved, notes } = await resolveSearchNames(workspace, { condition, projects, scope });
  const chosen: Condition[] =
    environments.length === 0
      ? []
      : [
          {
            kind: "test",
            field: "environment",
            isTag: false,
            isNegated: false,
            test: { kind: "in", values: environments },
          },
        ];
  return { where: allOf([...chosen, resolved]), errors: [], notes };
}
