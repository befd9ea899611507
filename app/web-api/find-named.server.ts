import type { Workspace } from "../access/workspace.ts";
import type { Feedback } from "../domain/feedback/feedback.ts";
import { readFeedbackIssueId } from "../domain/feedback/feedback-issue-id.ts";
import type { Issue } from "../domain/issue.ts";
import type { Monitor } from "../domain/monitor.ts";
import type { Invitation } from "../domain/people/invitation.ts";
import type { Member } from "../domain/people/member.ts";
import type { Team } from "../domain/people/team.ts";
import type { Project, ProjectKey } from "../domain/project.ts";
import type { Release } from "../domain/release.ts";
import type { Repository } from "../domain/repository.ts";
import { hasRight, narrowScope } from "../domain/scope.ts";
import type { Organization } from "../stores/state/people-store.ts";
import { refusal } from "./answers.ts";
import { askForSimilarRelease } from "./find-similar-releases.server.ts";

/** The things that a path can name. Each has the name that stands in the braces of the path. */
export interface Named {
  organization: Organization;
  project: Project;
  issue: Issue;
  /** Set instead of `issue` if the id is that of feedback. */
  feedback: Feedback;
  release: Release;
  key: ProjectKey;
  repository: Repository;
  monitor: Monitor;
  team: Team;
  member: { kind: "member"; member: Member } | { kind: "invitation"; invitation: Invitation };
}

/** Finds everything that a path names, so that no endpoint has to. @throws a 404 answer. */
export async function findNamed(
  workspace: Workspace,
  params: Record<string, string>,
): Promise<{ [Name in keyof Named]: Named[Name] | null }> {
  const organization =
    params.organization === undefined ? null : await requireOrganization(workspace, params.organization);
  const feedback = params.issue === undefined ? null : await findFeedback(workspace, params.issue);
  const issue = params.issue === undefined || feedback ? null : await requireIssue(workspace, params.issue);
  const named = issue ?? feedback;
  const project =
    params.project !== undefined
      ? await requireProject(workspace, params.project)
      : named && requireFound("issue", await workspace.state.projects.getProject(workspace.scope, named.projectId));
  return {
    organization,
    project,
    issue,
    feedback,
    release: params.release === undefined ? null : await requireRelease(workspace, params.release, project),
    key:
      params.key === undefined || !project ? null : requireFound("key", await findKey(workspace, project, params.key)),
    repository:
      params.repository === undefined
        ? null
        : requireFound("repository", await findRepository(workspace, params.repository)),
    monitor:
      params.monitor === undefined
        ? null
        : requireFound("monitor", await findMonitor(workspace, params.monitor, project)),
    team: params.team === undefined ? null : requireFound("team", await findTeam(workspace, params.team)),
    member: params.member === undefined ? null : requireFound("member", await findMember(workspace, params.member)),
  };
}

/** Finds a project by slug or number. @throws a 404 answer. */
export async function requireProject(workspace: Workspace, slugOrId: string): Promise<Project> {
  return requireFound("project", await findProject(workspace, slugOrId));
}

/** Finds a project by slug or number. Null: there is none. */
export async function findProject({ state, scope }: Workspace, slugOrId: string): Promise<Project | null> {
  const bySlug = await state.projects.getProjectBySlug(scope, slugOrId);
  return bySlug ?? (isNumber(slugOrId) ? await state.projects.getProject(scope, Number(slugOrId)) : null);
}

/**
 * The projects that a body names.
 * @throws a 400 answer that says which one does not exist: sentry-cli shows a 404 as a release that was not found.
 */
export async function requireNamedProjects(
  workspace: Workspace,
  slugsOrIds: ReadonlyArray<string | number>,
): Promise<Project[]> {
  return Promise.all(
    slugsOrIds.map(async (slugOrId) => {
      const project = await findProject(workspace, String(slugOrId));
      if (!project) throw refusal(400, `projects: there is no project "${String(slugOrId).slice(0, 60)}"`);
      return project;
    }),
  );
}

/** Finds the organization by its slug or its number, which is 1. */
async function requireOrganization({ organization }: Workspace, slug: string): Promise<Organization> {
  return requireFound("organization", slug === organization.slug || slug === "1" ? organization : null);
}

/** Finds an issue by number or short id. @throws a 404 answer. */
export async function requireIssue({ state, scope }: Workspace, idOrShortId: string): Promise<Issue> {
  const issue = isNumber(idOrShortId)
    ? await state.issues.getIssue(scope, Number(idOrShortId))
    : await state.issues.getIssueByShortId(scope, idOrShortId.toUpperCase());
  return requireFound("issue", issue);
}

/** Finds feedback by the id or the short id that it has in lists of issues. */
async function findFeedback({ state, scope }: Workspace, id: string): Promise<Feedback | null> {
  const feedbackId = readFeedbackIssueId(id);
  return feedbackId === null ? null : state.feedback.getFeedback(scope, feedbackId);
}

/** @throws a 404 answer, also if the release belongs only to other projects. */
async function requireRelease(workspace: Workspace, version: string, project: Project | null): Promise<Release> {
  const { state, scope } = workspace;
  const release = await state.releases.getRelease(scope, version);
  const isOfProject = !project || release?.projects.some(({ projectId }) => projectId === project.id);
  if (release && isOfProject) return release;
  const asked = await askForSimilarRelease(workspace, project ? narrowScope(scope, [project.id]) : scope, version);
  throw refusal(404, `The requested release does not exist${asked === "" ? "" : `. ${asked}`}`);
}

/** Finds a key by its number or its public part. */
async function findKey(
  { state, scope }: Workspace,
  project: Project,
  idOrPublicKey: string,
): Promise<ProjectKey | null> {
  const keys = await state.projects.listKeys(scope, project.id);
  return keys.find(({ id, publicKey }) => String(id) === idOrPublicKey || publicKey === idOrPublicKey) ?? null;
}

async function findRepository({ state }: Workspace, id: string): Promise<Repository | null> {
  return isNumber(id) ? state.repositories.getRepository(Number(id)) : null;
}

/** Finds a monitor by its slug. Without a project: the first one that the caller sees. */
async function findMonitor(
  { state, scope }: Workspace,
  slug: string,
  project: Project | null,
): Promise<Monitor | null> {
  if (project !== null) return state.monitors.getMonitor(scope, { projectId: project.id, slug });
  for (const projectId of scope.projectIds) {
    const monitor = await state.monitors.getMonitor(scope, { projectId, slug });
    if (monitor !== null) return monitor;
  }
  return null;
}

/** Finds a team by slug or number. */
async function findTeam({ state, scope }: Workspace, slugOrId: string): Promise<Team | null> {
  const teams = await state.members.listTeams(scope);
  return teams.find(({ slug }) => slug === slugOrId) ?? teams.find(({ id }) => String(id) === slugOrId) ?? null;
}

/** Finds a member by number or as `me`. Callers who may invite also find an open invitation, by `i` and its number. */
async function findMember({ state, scope, user }: Workspace, id: string): Promise<Named["member"] | null> {
  if (/^i\d{1,15}$/.test(id)) {
    if (!hasRight(scope, "member:write")) return null;
    const open = await state.invitations.listInvitations(scope, Date.now());
    const invitation = open.find((each) => String(each.id) === id.slice(1));
    return invitation ? { kind: "invitation", invitation } : null;
  }
  const userId = id === "me" ? user?.id : isNumber(id) ? Number(id) : undefined;
  const member = userId === undefined ? null : await state.members.getMember(scope, userId);
  return member && member.removedAt === null ? { kind: "member", member } : null;
}

function requireFound<Thing>(name: keyof Named, thing: Thing | null): Thing {
  if (thing === null) throw refusal(404, `The requested ${name} does not exist`);
  return thing;
}

function isNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}
