import type { Workspace } from "../../access/workspace.ts";
import type { Member } from "../../domain/people/member.ts";
import { toEventId } from "../events/event-id.ts";
import { findNamedPlace, type NamedPlace, toNamedPath } from "../issues/find-named-place.server.ts";
import { findPastedPlace } from "../search/find-pasted-place.server.ts";
import { sayNoPath, sayPath } from "./access-words.ts";
import { findMemberPaths } from "./get-member.server.ts";

/** The highest number of spans, log lines and errors of a trace that are read to find their projects. */
const MAX_READ = 10_000;
const MAX_ERRORS = 100;
/** Characters of an id or an address. */
const MAX_TEXT = 2_000;

export interface ExplainedAccess {
  /** A name like `SHOP-12` or `the trace 0a1b…`. */
  what: string;
  to: string;
  /** One answer, in a sentence. */
  answer: string;
  /** The reasons for each project with data of the thing. */
  reasons: Array<{ slug: string; name: string; isSeen: boolean; sentences: string[] }>;
}

/** Explains why a member sees what an id or an address names, or what they lack. Null: nothing that the viewer sees has it. */
export async function explainAccess(
  workspace: Workspace,
  { member, text, origin }: { member: Member; text: string; origin: string },
): Promise<ExplainedAccess | null> {
  if (text.length > MAX_TEXT) return null;
  const { state, scope } = workspace;
  const place = await findPlace(workspace, text, origin);
  const found = place && (await findProjects(workspace, place));
  if (!place || !found) return null;
  const [teams, projects] = await Promise.all([state.members.listTeams(scope), state.projects.listProjects(scope)]);
  const reasons = projects
    .filter(({ id }) => found.projectIds.has(id))
    .map(({ id, slug, name }) => {
      const paths = findMemberPaths(member, teams, id);
      const words = { who: member.name, project: name, providers: member.providers };
      const none = member.removedAt === null ? sayNoPath(words) : `${member.name} was removed, and sees nothing.`;
      return {
        ...{ slug, name, isSeen: paths.length > 0 },
        sentences: paths.length > 0 ? paths.map((path) => sayPath(path, words)) : [none],
      };
    });
  const seen = reasons.filter(({ isSeen }) => isSeen).length;
  const who = member.name;
  const answer =
    seen === 0
      ? `${who} does not see ${found.what}.`
      : seen === reasons.length
        ? `${who} sees ${found.what}.`
        : `${who} sees a part of ${found.what}: ${seen} of its ${reasons.length} projects.`;
  return { what: found.what, to: toNamedPath(place), answer, reasons };
}

async function findPlace(workspace: Workspace, text: string, origin: string): Promise<NamedPlace | null> {
  const place = await findPastedPlace(workspace, text, { origin });
  if (place?.kind !== "page") return place;
  // If it is the address of a page of this server, the thing in its path.
  const [path = ""] = place.path.split(/[?#]/, 1);
  for (const id of path.split("/").filter((segment) => toEventId(segment) !== null)) {
    const named = await findNamedPlace(workspace, id);
    if (named) return named;
  }
  const [, issue = ""] = /^\/issues\/([^/]+)/.exec(path) ?? [];
  // The address may have the short id instead.
  return /^\d{1,15}$/.test(issue) ? { kind: "issue", issueId: Number(issue) } : await findNamedPlace(workspace, issue);
}

/** The name of the thing, and the projects of the scope with data of it. Null: it does not exist. */
async function findProjects(
  { events, state, scope }: Workspace,
  place: NamedPlace,
): Promise<{ what: string; projectIds: Set<number> } | null> {
  if (place.kind === "trace") {
    const filter = { projectIds: scope.projectIds, traceId: place.traceId };
    const [spans, logs, errors] = await Promise.all([
      events.readTraceSpans({ ...filter, limit: MAX_READ }),
      events.listTraceLogs({ ...filter, limit: MAX_READ }),
      events.listEvents({ ...filter, from: null, to: null }, { limit: MAX_ERRORS, cursor: null }),
    ]);
    const projectIds = [...spans.kinds, ...logs, ...errors.events].map(({ projectId }) => projectId);
    return { what: `the trace ${place.traceId.slice(0, 8)}`, projectIds: new Set(projectIds) };
  }
  if (place.issueId === null) return null;
  const issue = await state.issues.getIssue(scope, place.issueId);
  return issue && { what: issue.shortId, projectIds: new Set([issue.projectId]) };
}
