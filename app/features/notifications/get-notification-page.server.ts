import type { Workspace } from "../../access/workspace.ts";
import type { Transition, WebhookForm } from "../../domain/notification.ts";
import type { Project } from "../../domain/project.ts";
import { listTargets } from "../../notifications/list-targets.ts";
import type { ChannelState, DeadDelivery, DeliveryTarget } from "../../stores/state/delivery-store.ts";

export interface NotificationPage {
  transitions: readonly Transition[];
  emails: readonly string[];
  /** The owner's address is told because nobody has changed it. */
  isOwnerByDefault: boolean;
  /** Null: mail is not set up. */
  mailFrom: string | null;
  allowsPrivate: boolean;
  /** Neither address nor secret: those who may read the page need not know them. */
  webhook: { shownUrl: string; host: string; form: WebhookForm } | null;
  /** The beginning of links; null: not known. */
  baseUrl: string | null;
  isBaseUrlConfigured: boolean;
  channels: ChannelItem[];
  dead: DeadLetter[];
}

export interface ChannelItem extends Omit<ChannelState, "target"> {
  channel: DeliveryTarget["channel"];
  address: string;
}

export interface DeadLetter {
  id: number;
  to: string;
  /** Title of the first issue that it names; null: the issue is gone. */
  title: string | null;
  /** How many issues it tells of. */
  issueCount: number;
  attempts: number;
  diedAt: number;
  failure: string;
}

export async function getNotificationPage(
  { state, scope, notifications, settings: server }: Workspace,
  project: Project,
): Promise<NotificationPage> {
  const [settings, ownerEmail, baseUrl, states, dead] = await Promise.all([
    state.notifications.getNotificationSettings(scope, project.id),
    notifications.findOwnerEmail(),
    notifications.findBaseUrl(),
    state.deliveries.listChannels(scope, project.id),
    state.deliveries.listDead(scope, project.id),
  ]);
  const { transitions, emails, webhook } = settings;
  const { mailFrom, allowsPrivate } = notifications;
  const targets = listTargets(project.id, settings, { ownerEmail, isMailSetUp: mailFrom !== null });
  const first = await state.issues.getIssues(
    scope,
    dead.flatMap(({ items }) => items[0]?.issueId ?? []),
  );
  const titles = new Map(first.map(({ id, title }) => [id, title]));
  return {
    transitions,
    emails: emails ?? (ownerEmail === null ? [] : [ownerEmail]),
    isOwnerByDefault: emails === null && ownerEmail !== null,
    mailFrom,
    allowsPrivate,
    webhook: webhook && { shownUrl: maskUrl(webhook.url), host: new URL(webhook.url).host, form: webhook.form },
    baseUrl,
    isBaseUrlConfigured: server.publicUrl !== null,
    channels: targets.map((target) => toItem(target, states)),
    dead: dead.map((letter) => toLetter(letter, titles)),
  };
}

function toItem({ channel, address }: DeliveryTarget, states: readonly ChannelState[]): ChannelItem {
  const known = states.find(({ target }) => target.channel === channel && target.address === address);
  if (known !== undefined) {
    const { target: _, ...state } = known;
    return { channel, address, ...state };
  }
  const nothing = { lastDeliveredAt: null, lastAnswer: null, lastFailedAt: null, lastFailure: null };
  return { channel, address, ...nothing, waiting: 0, nextAttemptAt: null };
}

function toLetter(letter: DeadDelivery, titles: ReadonlyMap<number, string>): DeadLetter {
  const { id, target, items, more, attempts, diedAt, failure } = letter;
  return {
    id,
    to: target.channel === "email" ? target.address : "the webhook",
    title: titles.get(items[0]?.issueId ?? 0) ?? null,
    issueCount: items.length + more.new + more.regressed,
    attempts,
    diedAt,
    failure,
  };
}

/** Enough to know which one it is: host and last characters. */
function maskUrl(text: string): string {
  const { origin, href } = new URL(text);
  const rest = href.slice(origin.length);
  return rest.length > 12 ? `${origin}/…${rest.slice(-4)}` : `${origin}/…`;
}
