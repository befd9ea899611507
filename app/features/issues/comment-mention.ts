import { type Assignee, toAssigneeName } from "../../domain/issues/triage.ts";

const MAX_OFFERED = 5;

/** A mention that somebody is typing: `@` for people and teams, `#` for teams. */
export interface MentionDraft {
  sign: "@" | "#";
  /** The text after the sign, with at most one blank, as in a name. */
  letters: string;
}

/** The mention at the caret, which is at the end of `before`. Null: there is none. */
export function findMentionDraft(before: string): MentionDraft | null {
  const found = /(?:^|[\s(])([@#])([^\s@#]{0,40}(?: [^\s@#]{0,40})?)$/u.exec(before);
  return found === null ? null : { sign: found[1] === "#" ? "#" : "@", letters: found[2] ?? "" };
}

/** The people and teams to offer for a draft: a few at most. */
export function listMentionOffers(draft: MentionDraft | null, people: readonly Assignee[]): Assignee[] {
  if (draft === null) return [];
  const words = draft.letters.toLowerCase();
  return people
    .filter((each) => draft.sign === "@" || each.kind === "team")
    .filter((each) => [each.name, toAssigneeName(each)].some((name) => name.toLowerCase().includes(words)))
    .slice(0, MAX_OFFERED);
}

/** The text of the mention in the comment. */
export function toMention(assignee: Assignee): string {
  return assignee.kind === "team" ? `#${assignee.slug}` : `@${assignee.name}`;
}
