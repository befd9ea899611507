import type { Workspace } from "../../access/workspace.ts";
import {
  type Channel,
  type ChannelValues,
  isChannelKind,
  MAX_CHANNEL_NAME,
  MAX_CHANNELS,
} from "../../domain/channels/channel.ts";
import { CHANNEL_KIND_WORDS } from "../../domain/channels/channel-kinds.ts";
import { mayManageChannel } from "../../domain/channels/may-manage.ts";
import { readChannelFields } from "../../domain/channels/read-channel-fields.ts";
import { includesProject, type Scope } from "../../domain/scope.ts";
import { createSigningSecret } from "../../notifications/sign-webhook.server.ts";
import { type ChannelRefusal, type ChannelResult, refuseChannel } from "./channel-result.ts";

/** Adds a channel. `forProject`: the slug of the project from whose page the person came. From now on the channel gets the news of this project. */
export async function addChannel(
  workspace: Workspace,
  { form, now }: { form: FormData; now: number },
): Promise<ChannelResult> {
  const { state, scope } = workspace;
  const kind = form.get("kind");
  if (!isChannelKind(kind)) return refuseChannel(400, null, "Choose one of the kinds of channels.");
  const refuse = (refusal: ChannelRefusal): ChannelRefusal => ({ ...refusal, typed: withoutSecrets(kind, form) });
  const about = readAbout(scope, form);
  if (!about.ok) return refuse(about);
  const fields = readChannelFields(kind, (name) => String(form.get(name) ?? ""));
  if (!fields.ok) return refuse(refuseChannel(400, fields.field, fields.message));
  const made: ChannelValues = kind === "webhook" ? { secret: createSigningSecret() } : {};
  const saved = await state.channels.createChannel(scope, {
    kind,
    name: about.name,
    projectIds: about.projectIds,
    settings: fields.settings,
    secrets: { ...fields.secrets, ...made },
    at: now,
  });
  if (!saved.ok) return refuse(sayWhyNot(saved.reason));
  const { channel } = saved;
  const project = await findProject(workspace, String(form.get("forProject") ?? ""), channel);
  if (project === null) return { ok: true, message: `${channel.name} is added.`, channelId: channel.id, ...made };
  const settings = await state.notifications.getNotificationSettings(scope, project.id);
  const channelIds = [...settings.channelIds, channel.id];
  await state.notifications.saveNotificationSettings(scope, project.id, { ...settings, channelIds });
  const message = `${channel.name} is added, and hears of ${project.name}.`;
  return { ok: true, message, channelId: channel.id, ...made };
}

async function findProject({ state, scope }: Workspace, slug: string, { projectIds }: Channel) {
  if (slug === "") return null;
  const project = (await state.projects.listProjects(scope)).find((each) => each.slug === slug);
  return project && (projectIds === null || projectIds.includes(project.id)) ? project : null;
}

/** Reads the name and the projects, which channels of every kind have. */
export function readAbout(
  scope: Scope,
  form: FormData,
): { ok: true; name: string; projectIds: number[] | null } | ChannelRefusal {
  const name = String(form.get("name") ?? "")
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  if (name === "") return refuseChannel(400, "name", "Fill this in.");
  if (name.length > MAX_CHANNEL_NAME) return refuseChannel(400, "name", `At most ${MAX_CHANNEL_NAME} characters.`);
  const isForAll = form.get("serves") === "all";
  const chosen = form.getAll("project").map(Number);
  const projectIds = isForAll ? null : scope.projectIds.filter((id) => chosen.includes(id));
  if (chosen.some((id) => !includesProject(scope, id)))
    return refuseChannel(404, "project", "One of these projects does not exist.");
  if (projectIds?.length === 0) return refuseChannel(400, "project", "Choose a project.");
  if (!mayManageChannel(scope, { projectIds }))
    return refuseChannel(403, "project", "Only owners and managers give a channel to all projects.");
  return { ok: true, name, projectIds };
}

export function sayWhyNot(reason: "gone" | "name-taken" | "full"): ChannelRefusal {
  if (reason === "name-taken") return refuseChannel(409, "name", "There is a channel of this name already.");
  if (reason === "full") return refuseChannel(409, null, `There are ${MAX_CHANNELS} channels, and no more are kept.`);
  return refuseChannel(404, null, "This channel does not exist any more.");
}

function withoutSecrets(kind: Channel["kind"], form: FormData): Record<string, string> {
  const shown = ["name", ...CHANNEL_KIND_WORDS[kind].fields.flatMap((field) => (field.isSecret ? [] : [field.name]))];
  return Object.fromEntries(shown.map((name) => [name, String(form.get(name) ?? "").slice(0, 2_000)]));
}
