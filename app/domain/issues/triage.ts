import type { Priority } from "./priority.ts";

/** The member or team who works on an issue. */
export type Assignee =
  | { kind: "user"; id: number; name: string }
  | { kind: "team"; id: number; slug: string; name: string };

export type AssigneeRef = Pick<Assignee, "kind" | "id">;

/** A change of assignee and priority. An absent field stays as it is. */
export interface NewTriage {
  /** Null: nobody. */
  assignee?: AssigneeRef | null | undefined;
  /** Null: the rule decides again. */
  priority?: Priority | null | undefined;
}

/** The values that an issue had before a change. It has only the fields that changed. */
export interface PreviousTriage extends NewTriage {
  issueId: number;
}

export interface CurrentTriage {
  assignee: AssigneeRef | null;
  /** Null: nobody has set one. */
  priority: Priority | null;
}

/** The fields that change, with their previous values. Null: nothing changes. */
export function changeTriage(
  current: CurrentTriage,
  wanted: NewTriage,
): { next: NewTriage; previous: NewTriage } | null {
  const next: NewTriage = {};
  const previous: NewTriage = {};
  if (wanted.assignee !== undefined && !isSameAssignee(current.assignee, wanted.assignee)) {
    next.assignee = wanted.assignee;
    previous.assignee = current.assignee;
  }
  if (wanted.priority !== undefined && wanted.priority !== current.priority) {
    next.priority = wanted.priority;
    previous.priority = current.priority;
  }
  return Object.keys(next).length === 0 ? null : { next, previous };
}

export function isSameAssignee(a: AssigneeRef | null, b: AssigneeRef | null): boolean {
  return a === null || b === null ? a === b : a.kind === b.kind && a.id === b.id;
}

/** `user:3`, `team:7`. */
export function toAssigneeText({ kind, id }: AssigneeRef): string {
  return `${kind}:${id}`;
}

/** Null for anything else. */
export function parseAssigneeText(text: string): AssigneeRef | null {
  const match = /^(user|team):(\d{1,15})$/.exec(text);
  return match === null ? null : { kind: match[1] as AssigneeRef["kind"], id: Number(match[2]) };
}

/** The name of a member; of a team its slug with a hash. */
export function toAssigneeName(assignee: Assignee): string {
  return assignee.kind === "team" ? `#${assignee.slug}` : assignee.name;
}

/** People who are told of an assignment: not who made it. */
export function listTold(userIds: readonly number[], actorId: number | null): number[] {
  return [...new Set(userIds)].filter((id) => id !== actorId);
}
