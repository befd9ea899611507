import type { AlertAction } from "../domain/alerts/alert-rule.ts";
import { servesProject } from "../domain/channels/channel.ts";
import type { AssigneeRef } from "../domain/issues/triage.ts";
import type { NotificationSettings } from "../domain/notification.ts";
import { findPaths } from "../domain/people/access.ts";
import type { Member } from "../domain/people/member.ts";
import { findOnCall } from "../domain/people/rota.ts";
import type { Team } from "../domain/people/team.ts";
import type { PersonalNews } from "../domain/push/push-subscription.ts";
import type { DeliveryTarget } from "../stores/state/delivery-store.ts";
import { listPersonTargets, type PersonalReaches } from "./list-person-targets.ts";
import { listTargets, toChannelTarget } from "./list-targets.ts";

/** Everybody who may be told about a project. */
export interface Receivers extends PersonalReaches {
  projectId: number;
  /** Members without those who were removed. */
  members: readonly Member[];
  teams: readonly Team[];
  channels: ReadonlyArray<{ id: number; name: string; projectIds: readonly number[] | null }>;
  settings: NotificationSettings;
  ownerEmail: string | null;
}

/**
 * The targets of the actions of a rule, each once. An address that belongs to a member counts as that member. Members who do not see the
 * project, and channels that do not serve it, are left out. `at`: the time for which on-call is read. `news`: the kind of news, because
 * people choose for each kind how it reaches them.
 */
export function listRuleTargets(
  actions: readonly AlertAction[],
  receivers: Receivers,
  issue: { assignee: AssigneeRef | null; owner: AssigneeRef | null; at: number },
  news: PersonalNews = "rules",
): DeliveryTarget[] {
  const { projectId, channels, members } = receivers;
  const people = new Set<number>();
  const others = new Map<string, DeliveryTarget>();
  for (const action of actions) {
    for (const id of listPeople(action, receivers, issue)) people.add(id);
    if (action.kind === "channel" && channels.some((each) => each.id === action.id && servesProject(each, projectId)))
      others.set(
        `channel ${action.id} ${action.place ?? ""}`.trim(),
        toChannelTarget(projectId, action.id, action.place),
      );
    if (action.kind === "recipients")
      for (const target of listTargets(projectId, receivers.settings, receivers))
        others.set(`${target.channel} ${target.address}`, target);
  }
  const mails = new Set(
    members.filter(({ userId }) => people.has(userId)).map(({ email }) => `email ${email.toLowerCase()}`),
  );
  return [
    ...[...people].flatMap((userId) => listPersonTargets({ projectId, userId }, news, receivers)),
    ...[...others].filter(([key]) => !mails.has(key.toLowerCase())).map(([, target]) => target),
  ];
}

function listPeople(
  action: AlertAction,
  { projectId, members, teams }: Receivers,
  { assignee, owner, at }: { assignee: AssigneeRef | null; owner: AssigneeRef | null; at: number },
): number[] {
  const seeing = members.filter((member) => findPaths(toAccess(member, teams), projectId).length > 0);
  const ofRef = (ref: AssigneeRef | null): number[] => {
    if (ref === null) return [];
    if (ref.kind === "user") return seeing.some(({ userId }) => userId === ref.id) ? [ref.id] : [];
    const ids = teams.find(({ id }) => id === ref.id)?.memberIds ?? [];
    return seeing.flatMap(({ userId }) => (ids.includes(userId) ? [userId] : []));
  };
  switch (action.kind) {
    case "members": {
      const isOf = (member: Member) =>
        findPaths(toAccess(member, teams), projectId).some(({ kind }) => kind !== "role");
      const own = seeing.filter(isOf);
      return (own.length > 0 ? own : seeing.filter(({ role }) => role === "owner")).map(({ userId }) => userId);
    }
    case "person":
      return ofRef({ kind: "user", id: action.id });
    case "team":
      return ofRef({ kind: "team", id: action.id });
    case "on-call": {
      const ofTeam = ofRef({ kind: "team", id: action.id });
      const rota = teams.find(({ id }) => id === action.id)?.rota;
      const who = rota && findOnCall(rota, at, (userId) => ofTeam.includes(userId));
      // If nobody can be on call, the whole team is told.
      return who ? [who.userId] : ofTeam;
    }
    case "assignee":
      return ofRef(assignee);
    case "owners":
      return ofRef(owner);
    default:
      return [];
  }
}

function toAccess({ userId, role, projectIds }: Member, teams: readonly Team[]) {
  const own = teams.filter(({ memberIds }) => memberIds.includes(userId));
  return { role, projectIds, teams: own };
}
