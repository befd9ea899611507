import type { Workspace } from "../../access/workspace.ts";
import { type ChannelKind, servesProject } from "../../domain/channels/channel.ts";
import { hasRight } from "../../domain/scope.ts";

/** The names for the ids in rules, as values for pages. */
export interface RuleNameTable {
  projects: Array<{ id: number; slug: string; name: string }>;
  teams: Array<{ id: number; slug: string; hasRota: boolean }>;
  people: Array<{ id: number; name: string; email: string }>;
  channels: Array<{ id: number; name: string; kind: ChannelKind; projectIds: readonly number[] | null }>;
}

/** The projects, people and channels that can be chosen for a rule. People are only included for viewers who may read members. */
export async function loadRuleNames({ state, scope }: Pick<Workspace, "state" | "scope">): Promise<RuleNameTable> {
  const [projects, teams, members, channels] = await Promise.all([
    state.projects.listProjects(scope),
    state.members.listTeams(scope),
    hasRight(scope, "member:read") ? state.members.listMembers(scope) : [],
    state.channels.listChannels(scope),
  ]);
  return {
    projects: projects.map(({ id, slug, name }) => ({ id, slug, name })),
    teams: teams.map(({ id, slug, rota }) => ({ id, slug, hasRota: rota !== null })),
    people: members.map(({ userId, name, email }) => ({ id: userId, name, email })),
    channels: channels.map(({ id, name, kind, projectIds }) => ({ id, name, kind, projectIds })),
  };
}

/** A chosen channel that serves none of these projects. Null: each serves at least one. */
export function findUselessChannel(
  { channels }: RuleNameTable,
  channelIds: readonly number[],
  projectIds: readonly number[] | null,
): string | null {
  for (const channelId of channelIds) {
    const channel = channels.find(({ id }) => id === channelId);
    if (channel && projectIds !== null && !projectIds.some((id) => servesProject(channel, id))) return channel.name;
  }
  return null;
}
