import type { AssigneeRef } from "./triage.ts";

/** Characters of one comment: longer than any explanation, shorter than a pasted log. */
export const MAX_COMMENT_LENGTH = 10_000;
/** Comments of one issue. */
export const MAX_COMMENTS = 1_000;
/** Members and teams that one comment can tell. */
export const MAX_MENTIONS = 20;

/** Why somebody is subscribed to an issue. */
export type SubscriptionReason = "assigned" | "commented" | "mentioned" | "chosen";

export const SUBSCRIPTION_WORDS: Readonly<Record<SubscriptionReason, string>> = {
  assigned: "You are subscribed because the issue was assigned to you.",
  commented: "You are subscribed because you commented.",
  mentioned: "You are subscribed because somebody mentioned you.",
  chosen: "You are subscribed because you chose to be.",
};

/** A member or a team that a comment can name. */
export interface Mentionable extends AssigneeRef {
  /** Names without the sign before them. For a member: name, e-mail address, and its part before the @. For a team: the slug. */
  names: readonly string[];
}

/**
 * The people and teams that a comment mentions: `@Grace Hopper`, `@grace`, `@grace@example.com`, and teams as `#shop` or `@shop`.
 * The longest name counts. Text in code mentions nobody. No duplicates, at most `MAX_MENTIONS`.
 */
export function findMentions(text: string, people: readonly Mentionable[]): AssigneeRef[] {
  const prose = withoutCode(text).toLowerCase();
  const named = people
    .flatMap(({ kind, id, names }) => names.map((name) => ({ kind, id, name: name.toLowerCase() })))
    .filter(({ name }) => name !== "")
    .sort((one, other) => other.name.length - one.name.length);
  const found = new Map<string, AssigneeRef>();
  for (const { index } of prose.matchAll(/(?<![\p{L}\p{N}_.])[@#]/gu)) {
    const sign = prose[index];
    const rest = prose.slice(index + 1);
    const match = named.find(({ kind, name }) => {
      if (sign === "#" && kind === "user") return false;
      return rest.startsWith(name) && !/^[\p{L}\p{N}_]/u.test(rest.slice(name.length));
    });
    if (match && found.size < MAX_MENTIONS) found.set(`${match.kind}:${match.id}`, { kind: match.kind, id: match.id });
  }
  return [...found.values()];
}

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, " ").replace(/`[^`\n]*`/g, " ");
}
