import { scopeOfServer } from "../access/server-scope.ts";
import { type AlertAction, type AlertRule, type AlertTrigger, isCountTrigger } from "../domain/alerts/alert-rule.ts";
import { sayNumber } from "../domain/alerts/say-rule.ts";
import type { Issue } from "../domain/issue.ts";
import type { AssigneeRef } from "../domain/issues/triage.ts";
import { findPerson } from "../notifications/list-person-targets.ts";
import { listRuleTargets, type Receivers } from "../notifications/list-rule-targets.ts";
import { loadReceivers } from "../notifications/load-receivers.ts";
import type { FoundFiring } from "../stores/state/alert-store.ts";
import type { DeliveryTarget, NewsItem } from "../stores/state/delivery-store.ts";
import type { State } from "../stores/state/state.ts";
import { type OwnerFinderParts, openOwnerFinder } from "./find-owner.ts";

export interface FiringParts extends OwnerFinderParts {
  state: OwnerFinderParts["state"] & Pick<State, "notifications" | "channels" | "people" | "comments" | "push">;
  isMailSetUp: boolean;
  now: () => number;
}

/** Finds out whom rules tell. It keeps what it reads, so it is made anew for each run of a job. */
export function createFiringPlanner(parts: FiringParts) {
  const receivers = new Map<number, Promise<Receivers>>();
  const owners = new Map<number, ReturnType<typeof openOwnerFinder>>();

  function receiversOf(projectId: number): Promise<Receivers> {
    const { state, isMailSetUp } = parts;
    const findOwnerEmail = async () => (await state.people.getOwner())?.email ?? null;
    const loaded =
      receivers.get(projectId) ??
      loadReceivers({ state, findOwnerEmail, isMailSetUp }, scopeOfServer([projectId]), projectId);
    receivers.set(projectId, loaded);
    return loaded;
  }

  async function findOwner(
    actions: readonly AlertAction[],
    projectId: number,
    eventId: string,
  ): Promise<AssigneeRef | null> {
    if (!actions.some(({ kind }) => kind === "owners") || eventId === "") return null;
    const opened = owners.get(projectId) ?? openOwnerFinder(parts, projectId);
    owners.set(projectId, opened);
    return (await (await opened)?.find(eventId))?.assignee ?? null;
  }

  /** Lists the receivers that these actions name for the issue. `eventId`: the event about which they are told; empty: unknown. */
  async function listTargets(
    actions: readonly AlertAction[],
    issue: Issue,
    eventId: string,
  ): Promise<DeliveryTarget[]> {
    const { projectId, assignee } = issue;
    const loaded = receiversOf(projectId);
    const owner = await findOwner(actions, projectId, eventId);
    const targets = listRuleTargets(actions, await loaded, { assignee, owner, at: parts.now() });
    // People who have snoozed the issue get no message.
    const snoozers = await parts.state.comments.listSnoozers(scopeOfServer([projectId]), [issue.id], parts.now());
    return targets.filter((target) => {
      if (target.channel === "channel") return true;
      const person = findPerson(target);
      const isOne = ({ userId, email }: { userId: number; email: string }) =>
        person === null ? email.toLowerCase() === target.address.toLowerCase() : userId === person;
      return !snoozers.some(isOne);
    });
  }

  return {
    listTargets,
    /**
     * Joins what several rules tell about the same change. If one rule tells a person as a member and another by address, both use the
     * member. So the person gets one message.
     */
    async unite(found: readonly FoundFiring[]): Promise<FoundFiring[]> {
      const [first, second] = found;
      if (first === undefined || second === undefined) return [...found];
      const { members } = await receiversOf(first.projectId);
      const people = new Set(
        found.flatMap(({ targets }) => targets.flatMap((each) => (each.channel === "person" ? [each.address] : []))),
      );
      const toPerson = (target: DeliveryTarget): DeliveryTarget => {
        if (target.channel !== "email") return target;
        const address = target.address.toLowerCase();
        const member = members.find(
          ({ userId, email }) => people.has(String(userId)) && email.toLowerCase() === address,
        );
        return member ? { ...target, channel: "person", address: String(member.userId) } : target;
      };
      return found.map((each) => ({ ...each, targets: each.targets.map(toPerson) }));
    },
    /** Prepares what the rule tells about the issue. `value`: the number that a number trigger reached; null: the trigger is a change. */
    async plan(
      rule: AlertRule,
      trigger: AlertTrigger,
      {
        issue,
        eventId,
        at,
        release,
        back,
        value,
        isPeriod,
      }: {
        issue: Issue;
        eventId: string;
        at: number;
        release: string | null;
        /** Why the issue came back from the archive. Absent: it was not archived. */
        back?: string | undefined;
        value: number | null;
        isPeriod: boolean;
      },
    ): Promise<FoundFiring> {
      const item: NewsItem = {
        transition: NEWS[trigger.kind],
        issueId: issue.id,
        eventId,
        at,
        release,
        ...(back !== undefined && { back }),
        ...(isCountTrigger(trigger) ? { reached: sayNumber(trigger) } : {}),
      };
      const targets = await listTargets(rule.actions, issue, eventId);
      return {
        ruleId: rule.id,
        projectId: issue.projectId,
        issueId: issue.id,
        trigger: trigger.kind,
        at,
        value,
        isPeriod,
        targets,
        item,
      };
    },
  };
}

const NEWS: Record<AlertTrigger["kind"], NewsItem["transition"]> = {
  new: "new",
  regressed: "regressed",
  unarchived: "regressed",
  escalating: "regressed",
  resolved: "resolved",
  "high-priority": "priority",
  events: "reached",
  users: "reached",
};
