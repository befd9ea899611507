import { type Assignee, toAssigneeName } from "../../domain/issues/triage.ts";

/** The assignee of an issue: initials and name. */
export function AssigneeName({ assignee }: { assignee: Assignee }) {
  const name = toAssigneeName(assignee);
  return (
    <span className="assignee" data-tip={`Assigned to ${name}`}>
      <AssigneeMark assignee={assignee} />
      <span className="sr-only">Assigned to </span>
      <bdi className="assignee-name">{name}</bdi>
    </span>
  );
}

/** Initials in a round mark for a person, in a square one for a team. */
export function AssigneeMark({ assignee }: { assignee: Assignee }) {
  return (
    <span className="assignee-mark" data-kind={assignee.kind} aria-hidden="true">
      {toInitials(assignee.name)}
    </span>
  );
}

/** The initials of a name: `AL` for “Ada Lovelace”. */
function toInitials(name: string): string {
  const words = name.trim().split(/[\s._-]+/);
  const first = [...(words[0] ?? "")][0] ?? "?";
  const last = words.length > 1 ? ([...(words.at(-1) ?? "")][0] ?? "") : "";
  return (first + last).toUpperCase();
}
