import type { Workspace } from "../../access/workspace.ts";
import { readChannelAddress } from "../../domain/channels/channel-place.ts";
import { hasRight } from "../../domain/scope.ts";
import { findPerson } from "../../notifications/list-person-targets.ts";
import type { DeliveryTarget } from "../../stores/state/delivery-store.ts";
import type { Undelivered } from "../../stores/state/undelivered-store.ts";
import { seesPeople } from "./settle-undelivered.server.ts";

export interface DeliveryPage {
  failing: UndeliveredItem[];
  dead: UndeliveredItem[];
  /** The number of all messages. The page lists the newest of them. */
  counts: { failing: number; dead: number };
  fallback: {
    id: number | null;
    /** Channels that serve all projects. */
    offered: Array<{ id: number; name: string }>;
    mayChange: boolean;
  };
}

/** A message that did not arrive, as pages show it. */
export interface UndeliveredItem {
  id: number;
  to: string;
  channel: DeliveryTarget["channel"];
  /** The id of the channel, if the message was for one. */
  channelId: number | null;
  /** The name of the project. Null: it does not exist any more. */
  project: string | null;
  /** The title of the first issue that it names, or what kind of report it is. Null: none of its issues exists any more. */
  title: string | null;
  /** The id of that issue. */
  issueId: number | null;
  /** The number of news in the message. */
  newsCount: number;
  attempts: number;
  createdAt: number;
  /** Null: it is still tried. */
  diedAt: number | null;
  nextAttemptAt: number;
  failure: string;
}

export async function getDeliveryPage(workspace: Workspace): Promise<DeliveryPage> {
  const { state, scope } = workspace;
  const filter = { withPeople: seesPeople(workspace) };
  const [letters, counts, fallback, channels] = await Promise.all([
    state.undelivered.list(scope, filter),
    state.undelivered.count(scope, filter),
    state.undelivered.getFallback(),
    state.channels.listChannels(scope),
  ]);
  const items = await nameUndelivered(workspace, letters);
  return {
    failing: items.filter(({ diedAt }) => diedAt === null),
    dead: items.filter(({ diedAt }) => diedAt !== null),
    counts,
    fallback: {
      id: fallback?.id ?? null,
      offered: channels.filter(({ projectIds }) => projectIds === null).map(({ id, name }) => ({ id, name })),
      mayChange: hasRight(scope, "org:write"),
    },
  };
}

async function nameUndelivered(
  { state, scope }: Workspace,
  letters: readonly Undelivered[],
): Promise<UndeliveredItem[]> {
  const [issues, projects] = await Promise.all([
    state.issues.getIssues(
      scope,
      letters.flatMap(({ items }) => items[0]?.issueId ?? []),
    ),
    state.projects.listProjects(scope),
  ]);
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return letters.map(({ id, target, name, items, more, attempts, createdAt, diedAt, nextAttemptAt, failure }) => {
    const issue = byId.get(items[0]?.issueId ?? 0);
    return {
      id,
      to: name ?? (findPerson(target) !== null ? "somebody who is gone" : "a channel that is gone"),
      channel: target.channel,
      channelId: target.channel === "channel" && name !== null ? readChannelAddress(target.address).channelId : null,
      project: names.get(target.projectId) ?? null,
      title: items[0]?.transition === "noise" ? "Report of alert rules that fire often" : (issue?.title ?? null),
      issueId: issue?.id ?? null,
      newsCount: items.length + Object.values(more).reduce((sum, count) => sum + count, 0),
      attempts,
      createdAt,
      diedAt,
      nextAttemptAt,
      failure,
    };
  });
}

/** The messages that the banner on every page counts. Null: everything arrives, or the person may not mend it. */
export async function findDeliveryTrouble(workspace: Workspace): Promise<DeliveryTrouble | null> {
  const { state, scope } = workspace;
  if (!hasRight(scope, "project:write")) return null;
  const filter = { withPeople: seesPeople(workspace) };
  const { failing, dead } = await state.undelivered.count(scope, filter);
  return failing + dead === 0 ? null : { failing, dead };
}

export interface DeliveryTrouble {
  /** `failing`: messages that are still tried. `dead`: messages that were given up. */
  failing: number;
  dead: number;
}
