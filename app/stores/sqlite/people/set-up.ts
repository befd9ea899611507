import { draftFirstRule } from "../../../domain/alerts/first-rule.ts";
import { nameMember } from "../../../domain/audit/audit-entry.ts";
import { BUILT_IN_SLUG, type Project } from "../../../domain/project.ts";
import { insertRule } from "../../sql/alert-rules.ts";
import { createProject, getProjectBySlug } from "../../sql/project-store.ts";
import type { State } from "../../state/state.ts";
import type { SqliteConnection } from "../connection.ts";
import { createMember, getOwner, saveOrganization } from "./people.ts";

/** The project for errors of Culprit itself, of its pages and its server. */
const BUILT_IN_PROJECT = { slug: BUILT_IN_SLUG, name: "Culprit", platform: "javascript-react-router" };

/** Within a write transaction. */
export function setUp(
  db: SqliteConnection,
  { organization, owner, project, at }: Parameters<State["people"]["setUp"]>[0],
): Awaited<ReturnType<State["people"]["setUp"]>> {
  if (getOwner(db) !== null) return { ok: false, reason: "already-set-up" };
  saveOrganization(db, { ...organization, at });
  const userId = createMember(db, { ...owner, role: "owner", teamIds: [], projectIds: [], at });
  const first = project === null ? null : findOrCreateProject(db, { ...project, at });
  findOrCreateProject(db, { ...BUILT_IN_PROJECT, at });
  db.note({
    action: "organization.set-up",
    target: { kind: "organization", id: 1, name: organization.slug },
    after: { name: organization.name, owner: nameMember(owner), project: first?.slug ?? null },
  });
  return { ok: true, userId, project: first };
}

/** An existing project with the slug is used unchanged. */
function findOrCreateProject(
  db: SqliteConnection,
  input: { slug: string; name: string; platform: string; at: number },
): Project {
  const known = db.perform(getProjectBySlug(input.slug));
  if (known !== null) return known;
  const project = db.perform(createProject(input));
  if (project === null) throw new Error(`project ${input.slug} was neither found nor created`);
  db.perform(insertRule(draftFirstRule(project), input.at));
  return project;
}
