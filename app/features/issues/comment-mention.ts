import { type Assignee, toAssigneeName } from "../../domain/issues/triage.ts";

const MAX_OFFERED = 5;

/** What somebody is writing: `@` for people and teams, `#` for teams. */
export interface MentionDraft {
  sign: "@" | "#";
  /** Behind the sign; a name may have one blank. */
  letters: string;
}

/** The mention that ends at the caret, where `before` ends. Null: there is none. */
export function findMentionDraft(before: string): MentionDraft | null {
  const found = /(?:^|[\s(])([@#])([^\s@#]{0,40}(?: [^\s@#]{0,40})?)$/u.exec(before);
  return found === null ? null : { sign: found[1] === "#" ? "#" : "@", letters: found[2] ?? "" };
}

/** Who is offered for it, at most a few. */
export function listMentionOffers(draft: MentionDraft | null, people: readonly Assignee[]): Assignee[] {
  if (draft === null) return [];
  const words = draft.letters.toLowerCase();
  return people
    .filter((each) => draft.sign === "@" || each.kind === "team")
    .filter((each) => [each.name, toAssigneeName(each)].some((name) => name.toLowerCase().includes(words)))
    .slice(0, MAX_OFFERED);
}

/** As it stands in the comment. */
export function toMention(assignee: Assignee): string {
  return assignee.kind === "team" ? `#${assignee.slug}` : `@${assignee.name}`;
}
