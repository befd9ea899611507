import type { Workspace } from "../../access/workspace.ts";
import { type Assignee, type AssigneeRef, parseAssigneeText } from "../../domain/issues/triage.ts";

type FoundAssignee = { ok: true; assignee: Assignee | null } | { ok: false; message: string };

/** Characters. An e-mail address has at most 254. */
const MAX_LENGTH = 300;

/**
 * Finds the assignee for a word: `user:3`, `team:7`, `me`, `#team` or `team:team`, an e-mail address, or the name of exactly one
 * member. An empty word means nobody. It does not check which projects they see: the store checks that for each issue.
 */
export async function findAssignee(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  word: string,
): Promise<FoundAssignee> {
  const name = word.trim();
  if (name === "") return { ok: true, assignee: null };
  if (name.length > MAX_LENGTH) return refuse(`an assignee has at most ${MAX_LENGTH} characters`);
  if (name === "me" && user === null) return refuse("“me” needs a person, and this token stands for none");
  const ref = name === "me" && user ? { kind: "user" as const, id: user.id } : parseAssigneeText(name);
  if (ref) return found(await state.triage.getAssignee(scope, ref), name);
  const slug = /^(?:#|team:)(.*)$/.exec(name)?.[1];
  if (slug !== undefined) {
    const team = await state.members.getTeam(scope, slug);
    return found(team && (await state.triage.getAssignee(scope, { kind: "team", id: team.id })), name);
  }
  const members = await state.members.listMembers(scope);
  const isCalled = (text: string) => text.toLowerCase() === name.toLowerCase();
  const byMail = members.filter(({ email }) => isCalled(email));
  const called = byMail.length > 0 ? byMail : members.filter((member) => isCalled(member.name));
  if (called.length > 1) return refuse(`${called.length} members are called “${name}”: give the e-mail address`);
  const [member] = called;
  return found(member ? { kind: "user", id: member.userId, name: member.name } : null, name);
}

function found(assignee: Assignee | null, name: string): FoundAssignee {
  return assignee ? { ok: true, assignee } : refuse(`there is no member and no team “${name.slice(0, 80)}”`);
}

function refuse(message: string): FoundAssignee {
  return { ok: false, message };
}

export function toRef(assignee: Assignee | null): AssigneeRef | null {
  return assignee && { kind: assignee.kind, id: assignee.id };
}
