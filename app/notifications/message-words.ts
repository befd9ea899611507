import type { Transition } from "../domain/notification.ts";
import type { IssueNews, Message } from "./message.ts";

const TRANSITION_WORDS: Record<Transition, string> = { new: "New issue", regressed: "Came back" };

/** What happened to the issue: `New issue`, or what came after it. */
export function sayWhat({ transition, change }: Pick<IssueNews, "transition" | "change">): string {
  return change ?? TRANSITION_WORDS[transition];
}

/** The colour of an issue: red where it is new, yellow where it came back, green where it is over. */
export function colourOf({ transition, isOver }: Pick<IssueNews, "transition" | "isOver">): string {
  if (isOver) return "#2f7d32";
  return transition === "new" ? "#b3261e" : "#d9a514";
}

/** Says in one line what happened: the title of one issue, or the number of several. */
export function sayHeadline({ isTest, issues, more, project }: Message): string {
  const [first, second] = issues;
  const place = `[${project.slug}]`;
  if (isTest) return `${place} Test of notifications`;
  if (first && !second && more.new + more.regressed === 0) return `${place} ${sayWhat(first)}: ${first.title}`;
  const count = (transition: Transition) =>
    issues.filter((issue) => issue.transition === transition).length + more[transition];
  return `${place} ${sayCounts({ new: count("new"), regressed: count("regressed") })}`;
}

/** `3 new issues, 1 issue came back`; empty when there are none. */
export function sayCounts({ new: fresh, regressed }: Record<Transition, number>): string {
  const parts = [
    fresh > 0 && `${sayNumber(fresh)} new ${fresh === 1 ? "issue" : "issues"}`,
    regressed > 0 && `${sayNumber(regressed)} ${regressed === 1 ? "issue" : "issues"} came back`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** `and 480 more new issues`; null when every issue is named. */
export function sayMore({ more }: Message): string | null {
  const { new: fresh, regressed } = more;
  if (fresh + regressed === 0) return null;
  if (regressed === 0) return `and ${sayNumber(fresh)} more new ${fresh === 1 ? "issue" : "issues"}`;
  return `and more: ${sayCounts(more)}`;
}

/** `12 events, 3 users, release shop@1.2.0`. */
export function sayFacts({ eventCount, userCount, release }: IssueNews): string {
  const facts = [
    `${sayNumber(eventCount)} ${eventCount === 1 ? "event" : "events"}`,
    userCount > 0 && `${sayNumber(userCount)} ${userCount === 1 ? "user" : "users"}`,
    release !== null && `release ${release}`,
  ];
  return facts.filter(Boolean).join(", ");
}

/** Said where a message has no links. */
export const NO_LINKS = "Links come with the next message once PUBLIC_URL is set, or once somebody has signed in.";

function sayNumber(count: number): string {
  return count.toLocaleString("en");
}
