import type { Workspace } from "../../access/workspace.ts";
import type { Channel, ChannelKind, ChannelResults } from "../../domain/channels/channel.ts";
import { mayManageChannel } from "../../domain/channels/may-manage.ts";
import { describeTarget } from "../../domain/channels/read-channel-fields.ts";
import { includesProject, type Scope } from "../../domain/scope.ts";
import type { ListedChannel } from "../../stores/state/channel-store.ts";

/** A channel as pages show it: without its secrets, and without projects that the person does not see. */
export interface ChannelItem extends ChannelResults {
  id: number;
  kind: ChannelKind;
  name: string;
  /** The place to which it posts, without secret parts. */
  target: string;
  /** Names of the projects that may use it. Null: all projects. */
  projects: string[] | null;
  /** Whether it also serves projects that the person does not see. */
  hasOthers: boolean;
  mayChange: boolean;
}

export interface ChannelsPage {
  channels: ChannelItem[];
  /** Null: mail is not set up. */
  mailFrom: string | null;
}

export async function listChannels(workspace: Workspace): Promise<ChannelsPage> {
  const { state, scope, notifications } = workspace;
  const [channels, projects] = await Promise.all([
    state.channels.listChannels(scope),
    state.projects.listProjects(scope),
  ]);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return {
    channels: channels.map((channel) => toItem(scope, channel, names)),
    mailFrom: notifications.mailFrom,
  };
}

function toItem(scope: Scope, channel: ListedChannel, names: ReadonlyMap<number, string>): ChannelItem {
  const { settings, secrets, projectIds, createdAt: _, ...shown } = channel;
  return {
    ...shown,
    target: describeTarget(channel.kind, settings, secrets),
    projects: projectIds?.flatMap((id) => names.get(id) ?? []) ?? null,
    hasOthers: hidesProjects(scope, channel),
    mayChange: mayManageChannel(scope, channel),
  };
}

function hidesProjects(scope: Scope, { projectIds }: Pick<Channel, "projectIds">): boolean {
  return projectIds?.some((id) => !includesProject(scope, id)) ?? false;
}
