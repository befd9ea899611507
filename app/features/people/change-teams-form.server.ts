import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { Team } from "../../domain/people/team.ts";
import { text } from "../input/fields.ts";
import { readForm } from "../input/read-form.ts";
import { readIntent } from "../input/read-intent.ts";
import { slugText } from "../projects/project-form.ts";
import { changeRotaByForm, ROTA_INTENTS, type RotaIntent } from "./change-rota-form.server.ts";
import { changeTeam, createTeam, deleteTeam, TEAM_NAME_MAX_LENGTH } from "./change-team.server.ts";
import { readIds } from "./read-ids.ts";

const nameFields = z.object({
  name: text(TEAM_NAME_MAX_LENGTH, "must not be empty: give the team a name"),
  slug: slugText.optional(),
});

export type TeamsFormResult =
  | { ok: true; intent: "create" | "rename" | "access" | "delete" | RotaIntent; team: Team; message: string }
  | { ok: false; status: 400 | 403 | 404 | 409; field: string | null; message: string };

const ROTA_DONE: Record<RotaIntent, string> = {
  rota: "The rota is saved. Number 1 is on call.",
  "rota-off": "The rota has ended. Nobody is on call.",
  override: "The override is added.",
  "override-off": "The override is removed.",
};

/** `team` null: a new team. */
export async function changeTeamsByForm(
  workspace: Workspace,
  { form, team, now }: { form: FormData; team: Team | null; now: number },
): Promise<TeamsFormResult> {
  const pressed = readIntent(form, team ? ["rename", "access", "delete", ...ROTA_INTENTS] : ["create"]);
  if (!pressed.ok) return { ...pressed, field: null };
  const { intent } = pressed;
  if (team && intent === "access") {
    const hasAllProjects = form.get("all") === "1";
    const changed = await changeTeam(workspace, team, {
      memberIds: readIds(form, "member"),
      projectIds: readIds(form, "project"),
      // A box that was left as the page showed it changes nothing: somebody else may have changed the value since.
      ...(form.get("all-before") === String(Number(hasAllProjects)) ? {} : { hasAllProjects }),
    });
    return changed.ok ? { ...changed, intent, message: `Members and projects of ${team.name} saved.` } : changed;
  }
  if (team && intent === "delete") {
    const deleted = await deleteTeam(workspace, team, now);
    return deleted.ok ? { ...deleted, intent, message: `The team ${team.name} was deleted.` } : deleted;
  }
  const ofRota = ROTA_INTENTS.find((each) => each === intent);
  if (team && ofRota) {
    const changed = await changeRotaByForm(workspace, { intent: ofRota, form, team, now });
    return changed.ok ? { ...changed, intent, message: ROTA_DONE[ofRota] } : changed;
  }
  const read = readForm(nameFields, form);
  if (!read.ok) return read;
  const { name, slug } = read.fields;
  const result = team
    ? await changeTeam(workspace, team, { name, ...(slug && { slug }) })
    : await createTeam(workspace, { name, ...(slug && { slug }), now });
  return result.ok
    ? { ...result, intent: team ? "rename" : "create", message: `The team ${name} was ${team ? "saved" : "made"}.` }
    : result;
}
