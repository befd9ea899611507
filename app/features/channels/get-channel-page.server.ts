import type { Workspace } from "../../access/workspace.ts";
import type { ChannelKind, ChannelValues } from "../../domain/channels/channel.ts";
import { CHANNEL_KIND_WORDS } from "../../domain/channels/channel-kinds.ts";
import { hasRight } from "../../domain/scope.ts";
import { type ChannelItem, listChannels } from "./list-channels.server.ts";

export interface ProjectChoice {
  id: number;
  slug: string;
  name: string;
}

/** The facts that the form of a channel needs. */
export interface ChannelFormFacts {
  projects: ProjectChoice[];
  /** Whether the person may give the channel to all projects. */
  mayServeAll: boolean;
  allowsPrivate: boolean;
  mailFrom: string | null;
}

export interface ChannelPage extends ChannelFormFacts {
  item: ChannelItem;
  settings: ChannelValues;
  /** Secret fields that have a value. */
  savedSecrets: string[];
  /** The projects of the channel that the person sees. Null: it serves all projects. */
  projectIds: readonly number[] | null;
  /** Until when messages also have the signature of the earlier secret. Null: they do not. */
  previousUntil: number | null;
}

export async function getChannelFormFacts({ state, scope, notifications }: Workspace): Promise<ChannelFormFacts> {
  const projects = await state.projects.listProjects(scope);
  return {
    projects: projects.map(({ id, slug, name }) => ({ id, slug, name })),
    mayServeAll: hasRight(scope, "org:write"),
    allowsPrivate: notifications.allowsPrivate,
    mailFrom: notifications.mailFrom,
  };
}

/** Null: the channel does not exist. */
export async function getChannelPage(
  workspace: Workspace,
  { channelId, now }: { channelId: number; now: number },
): Promise<ChannelPage | null> {
  const [channel, { channels }, facts] = await Promise.all([
    workspace.state.channels.getChannel(workspace.scope, channelId),
    listChannels(workspace),
    getChannelFormFacts(workspace),
  ]);
  const item = channels.find(({ id }) => id === channelId);
  if (channel === null || item === undefined) return null;
  const until = Number(channel.secrets.previousUntil ?? 0);
  const seen = new Set(facts.projects.map(({ id }) => id));
  return {
    ...facts,
    item,
    settings: channel.settings,
    savedSecrets: listSecretFields(channel.kind).filter((name) => channel.secrets[name] !== undefined),
    projectIds: channel.projectIds?.filter((id) => seen.has(id)) ?? null,
    previousUntil: until > now ? until : null,
  };
}

function listSecretFields(kind: ChannelKind): string[] {
  return CHANNEL_KIND_WORDS[kind].fields.flatMap(({ name, isSecret }) => (isSecret ? [name] : []));
}
