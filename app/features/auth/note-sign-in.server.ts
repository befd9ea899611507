import { type AuditNote, memberActor, nameMember } from "../../domain/audit/audit-entry.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";

/** Records in the audit log that somebody signed in. `by`: the method, like `password`. */
export async function noteSignIn(
  { people, audit }: { people: Pick<PeopleStore, "getUser">; audit: { note(note: AuditNote): Promise<void> } },
  { userId, by }: { userId: number; by: string },
): Promise<void> {
  const user = await people.getUser(userId);
  if (!user) return;
  await audit.note({
    action: "session.begin",
    target: { kind: "member", id: userId, name: nameMember(user) },
    after: { by },
    actor: memberActor(user),
  });
}
