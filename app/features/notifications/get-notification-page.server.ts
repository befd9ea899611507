import type { Workspace } from "../../access/workspace.ts";
import { coversProject } from "../../domain/alerts/alert-rule.ts";
import { type SaidPart, sayRule } from "../../domain/alerts/say-rule.ts";
import { type Channel, type ChannelKind, type ChannelResults, servesProject } from "../../domain/channels/channel.ts";
import { readChannelAddress } from "../../domain/channels/channel-place.ts";
import type { Project } from "../../domain/project.ts";
import { listTargets } from "../../notifications/list-targets.ts";
import type { ChannelState, DeadDelivery, DeliveryTarget } from "../../stores/state/delivery-store.ts";
import { loadRuleNames } from "../alerts/load-rule-names.server.ts";
import { toRuleNames } from "../alerts/rule-names.ts";
import { type ActiveSilence, listActiveSilences } from "../silences/list-silences.server.ts";

export interface NotificationPage {
  /** The rules that cover the project, by name. */
  rules: Array<{ id: number; name: string; sentence: SaidPart[]; isEnabled: boolean }>;
  /** The silences of the project that are in effect now. */
  silences: ActiveSilence[];
  /** Whether an enabled rule tells the addresses and channels below. */
  areRecipientsTold: boolean;
  /** Whether these also get new feedback. */
  tellsFeedback: boolean;
  emails: readonly string[];
  /** True if the address is that of the owner, whatever it is at the time. */
  isOwnerByDefault: boolean;
  /** Null: mail is not set up. */
  mailFrom: string | null;
  /** The channels that serve the project. */
  offered: Array<Pick<Channel, "id" | "name" | "kind"> & { isChosen: boolean }>;
  /** The start of links. Null: it is unknown. */
  baseUrl: string | null;
  isBaseUrlConfigured: boolean;
  targets: TargetItem[];
  dead: DeadLetter[];
}

export interface TargetItem extends ChannelResults {
  channel: DeliveryTarget["channel"];
  address: string;
  name: string;
  /** Null: the target is an address of the project. */
  kind: ChannelKind | null;
}

export interface DeadLetter {
  id: number;
  to: string;
  /** The title of the first issue that it names. Null: the issue does not exist any more. */
  title: string | null;
  /** The number of issues in the message. */
  issueCount: number;
  attempts: number;
  diedAt: number;
  failure: string;
}

type NamedChannels = ReadonlyArray<Pick<Channel, "id" | "name" | "kind">>;

export async function getNotificationPage(
  workspace: Workspace,
  project: Project,
  now: number,
): Promise<NotificationPage> {
  const { state, scope, notifications, settings: server } = workspace;
  const [all, table, settings, ownerEmail, baseUrl, states, dead, channels] = await Promise.all([
    state.alerts.listRules(scope, now),
    loadRuleNames(workspace),
    state.notifications.getNotificationSettings(scope, project.id),
    notifications.findOwnerEmail(),
    notifications.findBaseUrl(),
    state.deliveries.listChannels(scope, project.id),
    state.deliveries.listDead(scope, project.id),
    state.channels.listChannels(scope),
  ]);
  const { emails, channelIds, tellsFeedback = false } = settings;
  const rules = all.filter((rule) => coversProject(rule, project.id));
  const names = toRuleNames(table);
  const { mailFrom } = notifications;
  const targets = listTargets(project.id, settings, { ownerEmail, isMailSetUp: mailFrom !== null });
  const first = await state.issues.getIssues(
    scope,
    dead.flatMap(({ items }) => items[0]?.issueId ?? []),
  );
  const titles = new Map(first.map(({ id, title }) => [id, title]));
  return {
    rules: rules.map((rule) => ({
      id: rule.id,
      name: rule.name,
      sentence: sayRule(rule, names),
      isEnabled: rule.isEnabled,
    })),
    silences: await listActiveSilences(workspace, { projectId: project.id }, now),
    areRecipientsTold:
      tellsFeedback ||
      rules.some(({ isEnabled, actions }) => isEnabled && actions.some(({ kind }) => kind === "recipients")),
    tellsFeedback,
    emails: emails ?? (ownerEmail === null ? [] : [ownerEmail]),
    isOwnerByDefault: emails === null && ownerEmail !== null,
    mailFrom,
    offered: channels
      .filter((channel) => servesProject(channel, project.id))
      .map(({ id, name, kind }) => ({ id, name, kind, isChosen: channelIds.includes(id) })),
    baseUrl,
    isBaseUrlConfigured: server.publicUrl !== null,
    targets: targets.map((target) => toItem(target, states, channels)),
    dead: dead.map((letter) => toLetter(letter, titles, channels)),
  };
}

function toItem(
  { channel, address }: DeliveryTarget,
  states: readonly ChannelState[],
  channels: NamedChannels,
): TargetItem {
  const of = findChannel({ channel, address }, channels);
  const item = { channel, address, name: of?.name ?? address, kind: of?.kind ?? null };
  const known = states.find(({ target }) => target.channel === channel && target.address === address);
  if (known !== undefined) {
    const { target: _, ...results } = known;
    return { ...item, ...results };
  }
  const nothing = { lastDeliveredAt: null, lastAnswer: null, lastFailedAt: null, lastFailure: null };
  return { ...item, ...nothing, waiting: 0, nextAttemptAt: null };
}

function findChannel({ channel, address }: Omit<DeliveryTarget, "projectId">, channels: NamedChannels) {
  if (channel !== "channel") return undefined;
  const { channelId, place } = readChannelAddress(address);
  const found = channels.find(({ id }) => id === channelId);
  return found && place !== "" ? { ...found, name: `${found.name} (${place})` } : found;
}

function toLetter(
  { id, target, items, more, attempts, diedAt, failure }: DeadDelivery,
  titles: ReadonlyMap<number, string>,
  channels: NamedChannels,
): DeadLetter {
  return {
    id,
    to: findChannel(target, channels)?.name ?? (target.channel === "email" ? target.address : "a channel that is gone"),
    title: titles.get(items[0]?.issueId ?? 0) ?? null,
    issueCount: items.length + Object.values(more).reduce((sum, count) => sum + count, 0),
    attempts,
    diedAt,
    failure,
  };
}
