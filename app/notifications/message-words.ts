import {
  type FeedbackNews,
  RULE_NEWS,
  type RuleNews,
  TRANSITIONS,
  type Transition,
  type Trouble,
} from "../domain/notification.ts";
import type { IssueNews, Message } from "./message.ts";

type News = Transition | RuleNews | Trouble | FeedbackNews;

export const TRANSITION_WORDS: Record<News, string> = {
  new: "New issue",
  regressed: "Came back",
  resolved: "Resolved",
  priority: "High priority",
  reached: "Many events",
  escalated: "Nobody acknowledged this",
  undelivered: "Not delivered",
  feedback: "New feedback",
};

const COUNTED: Record<News, readonly [one: string, many: string]> = {
  new: ["new issue", "new issues"],
  regressed: ["issue came back", "issues came back"],
  resolved: ["issue resolved", "issues resolved"],
  priority: ["issue of high priority", "issues of high priority"],
  reached: ["issue with many events", "issues with many events"],
  escalated: ["issue that nobody acknowledged", "issues that nobody acknowledged"],
  undelivered: ["receiver that gets no messages", "receivers that get no messages"],
  feedback: ["message of a user", "messages of users"],
};
const NEWS = [...TRANSITIONS, ...RULE_NEWS, "undelivered", "feedback"] as const;

/** What happened to the issue: `New issue`, `Reached 20 users in 10 minutes`, or the later change. */
export function sayWhat({ transition, change, reached }: Pick<IssueNews, "transition" | "change" | "reached">): string {
  return change ?? (transition === "reached" ? sayReached(reached) : TRANSITION_WORDS[transition]);
}

/** `reached`: like `20 users in 10 minutes`. Undefined: the number is not known any more. */
export function sayReached(reached: string | undefined): string {
  return reached === undefined ? TRANSITION_WORDS.reached : `Reached ${reached}`;
}

const RED: ReadonlySet<News> = new Set(["new", "priority", "escalated", "undelivered"]);

/** The colour of an issue: red for a new one, yellow for one that came back, green for one that is over. */
export function colourOf({ transition, isOver }: Pick<IssueNews, "transition" | "isOver">): string {
  if (isOver || transition === "resolved") return "#2f7d32";
  return RED.has(transition) ? "#b3261e" : "#d9a514";
}

/** One line about what happened: the title of one issue, or the number of several. */
export function sayHeadline({ isTest, issues, more, project }: Message): string {
  const [first, second] = issues;
  const place = `[${project.slug}]`;
  if (isTest) return `${place} Test of notifications`;
  if (first && !second && sum(more) === 0) return `${place} ${sayWhat(first)}: ${first.title}`;
  const counts: Partial<Record<News, number>> = { ...more };
  for (const { transition } of issues) counts[transition] = (counts[transition] ?? 0) + 1;
  return `${place} ${sayCounts(counts)}`;
}

/** Counts in words: `3 new issues, 1 issue came back`. Empty: there are none. */
export function sayCounts(counts: Partial<Record<News, number>>): string {
  return NEWS.flatMap((news) => {
    const count = counts[news] ?? 0;
    const [one, many] = COUNTED[news];
    return count > 0 ? [`${sayNumber(count)} ${count === 1 ? one : many}`] : [];
  }).join(", ");
}

/** The issues that the message does not name: `and 480 more new issues`. Null: it names all. */
export function sayMore({ more }: Pick<Message, "more">): string | null {
  if (sum(more) === 0) return null;
  if (sum(more) === more.new) return `and ${sayNumber(more.new)} more new ${more.new === 1 ? "issue" : "issues"}`;
  return `and more: ${sayCounts(more)}`;
}

function sum(more: Partial<Record<News, number>>): number {
  return NEWS.reduce((total, news) => total + (more[news] ?? 0), 0);
}

/** The facts of an issue: `reached 20 users in 10 minutes, 12 events, 3 users, release shop@1.2.0, by the rule “Checkout”`. */
export function sayFacts({
  eventCount,
  userCount,
  release,
  rules = [],
  reached,
  back,
  unansweredFor,
  insteadOf,
  transition,
  change = null,
}: Pick<IssueNews, "eventCount" | "userCount" | "release"> & Partial<IssueNews>): string {
  if (transition === "undelivered") return "it is tried again, and its issues are told here meanwhile";
  if (transition === "feedback") return release === null ? "from a user" : `from a user, release ${release}`;
  // If nothing changed since, `sayWhat` says the reached number already.
  const isChanged = change !== null;
  const facts = [
    unansweredFor !== undefined && `nobody acknowledged it for ${unansweredFor}`,
    back !== undefined && `from the archive (${back})`,
    reached !== undefined && (transition !== "reached" || isChanged) && `reached ${reached}`,
    `${sayNumber(eventCount)} ${eventCount === 1 ? "event" : "events"}`,
    userCount > 0 && `${sayNumber(userCount)} ${userCount === 1 ? "user" : "users"}`,
    release !== null && `release ${release}`,
    rules.length > 0 && `by the ${sayRules(rules)}`,
    insteadOf !== undefined && `told here because ${insteadOf} cannot be told`,
  ];
  return facts.filter(Boolean).join(", ");
}

/** Every kind of channel has room for so many names. */
const MAX_NAMED_RULES = 3;

/** Names of rules, on one line: `rule “Checkout”`, `rules “Checkout”, “Errors”, “Login” and 4 others`. */
export function sayRules(rules: readonly string[]): string {
  const named = rules.slice(0, MAX_NAMED_RULES).map((name) => `“${name}”`);
  const others = rules.length - named.length;
  if (others > 0) named.push(`${sayNumber(others)} ${others === 1 ? "other" : "others"}`);
  return `${rules.length === 1 ? "rule" : "rules"} ${LIST.format(named)}`;
}

/** The text of a message that has no links. */
export const NO_LINKS = "Links come with the next message once PUBLIC_URL is set, or once somebody has signed in.";

const LIST = new Intl.ListFormat("en");

function sayNumber(count: number): string {
  return count.toLocaleString("en");
}
