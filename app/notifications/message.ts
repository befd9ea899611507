import { CHANNEL_ACT_WORDS, LINK_ACTS, type ToActUrl } from "../domain/act-link.ts";
import { readChannelAddress } from "../domain/channels/channel-place.ts";
import { type IssueChange, sayChange } from "../domain/channels/issue-change.ts";
import type { Issue } from "../domain/issue.ts";
import type { Level } from "../domain/level.ts";
import {
  type FeedbackNews,
  isForOnePerson,
  RULE_NEWS,
  type RuleNews,
  TRANSITIONS,
  type Transition,
  type Trouble,
} from "../domain/notification.ts";
import type { Delivery, NewsItem } from "../stores/state/delivery-store.ts";
import type { FeedbackNewsItem } from "../stores/state/feedback-store.ts";
import type { State } from "../stores/state/state.ts";

/** A message before it gets its channel's format. Texts are on one line and of bounded length. */
export interface Message {
  /** The same for all attempts to send the message. */
  key: string;
  /** Milliseconds since 1970. */
  at: number;
  isTest: boolean;
  project: { slug: string; name: string };
  issues: IssueNews[];
  /** Counts of changes that the message does not name. */
  more: Record<Transition, number> & Partial<Record<RuleNews | Trouble | FeedbackNews, number>>;
  /** The page of the project's issues. Null, here and below: the address of this server is unknown. */
  listUrl: string | null;
  /** The page on which people change who gets messages. */
  settingsUrl: string | null;
}

/** A link to a page that asks, and then does one act. */
export interface MessageAct {
  label: string;
  url: string;
}

export interface IssueNews {
  /** The id of the issue. 0 or below: it is made up, for a test, feedback or a receiver that cannot be reached. */
  issueId: number;
  transition: Transition | RuleNews | Trouble | FeedbackNews;
  /** Names of the alert rules that tell about it. Absent: the message waited since before there were rules. */
  rules?: readonly string[];
  /** For `reached`: the number that it reached, like `20 users in 10 minutes`. */
  reached?: string;
  /** For `regressed`: why it came back from the archive. */
  back?: string;
  /** For `escalated`: for how long nobody has acknowledged it, like `15 minutes`. */
  unansweredFor?: string;
  /** The receiver that cannot be reached. The fallback channel is told instead. */
  insteadOf?: string;
  /** What happened after a message named the issue, like `Resolved by Ada`. Null: nothing that is told. */
  change: string | null;
  /** Whether nobody needs to look at the issue any more. */
  isOver: boolean;
  /** Whether the change says that somebody has the issue. */
  isTaken: boolean;
  /** Links to acts that work without signing in. Absent: there are none. */
  acts?: readonly MessageAct[];
  shortId: string;
  title: string;
  culprit: string;
  level: Level;
  eventCount: number;
  userCount: number;
  /** The release of the event that caused the news. Null: it named none. */
  release: string | null;
  at: number;
  url: string | null;
}

const MAX_TEXT_LENGTH = 200;

/**
 * Composes the message of a delivery, with the present counts. Issues that do not exist any more are left out. An issue that was merged is
 * replaced by the one into which it was merged, and named once. Null: nothing is left to tell.
 */
export async function composeMessage(
  state: Pick<State, "directory" | "reprocessing" | "alertPeriodWork" | "feedbackLinks">,
  { key, target, items, more }: Pick<Delivery, "key" | "target" | "items" | "more">,
  { baseUrl, toActUrl = null, now }: { baseUrl: string | null; toActUrl?: ToActUrl | null; now: number },
): Promise<Message | null> {
  const project = await state.directory.getProject(target.projectId);
  if (project === null) return null;
  const news = new Map<number, IssueNews>();
  for (const item of items) {
    const { transition, issueId, at, release, rule, otherRules = [], reached, back, unansweredFor, insteadOf } = item;
    if (isForOnePerson(transition)) continue;
    if (transition === "undelivered") {
      news.set(-news.size, toTrouble(item, project, baseUrl));
      continue;
    }
    if (transition === "feedback") {
      const said = await readFeedbackNews(state, item, project.id);
      if (said !== null) news.set(-news.size, toFeedbackNews(said, { at, release, project, baseUrl }));
      continue;
    }
    const issue = await state.reprocessing.getIssue(issueId);
    if (issue === null || issue.projectId !== project.id) continue;
    // That nobody answered replaces the news which nobody answered. Any other news is added to what is known.
    const known = news.get(issue.id);
    if (known !== undefined && transition !== "escalated") {
      news.set(issue.id, joinNews(known, item));
      continue;
    }
    const byRule = {
      ...(rule !== undefined && { rules: [rule, ...otherRules].map(toLine) }),
      ...(reached !== undefined && { reached }),
      ...(back !== undefined && { back }),
      ...(unansweredFor !== undefined && { unansweredFor }),
      ...(insteadOf !== undefined && { insteadOf: toLine(insteadOf) }),
    };
    const isWaiting = toActUrl !== null && (await state.alertPeriodWork.isUnanswered(issue.id));
    const acts =
      toActUrl && listActs(issue, { channelId: readChannelAddress(target.address).channelId, isWaiting, toActUrl });
    news.set(issue.id, {
      ...toNews(issue, { transition, at, release, baseUrl }),
      ...byRule,
      ...(acts !== null && { acts }),
    });
  }
  if (news.size === 0 && [...TRANSITIONS, ...RULE_NEWS, "feedback" as const].every((transition) => !more[transition]))
    return null;
  return { key, at: now, isTest: false, issues: [...news.values()], more, ...describeProject(project, baseUrl) };
}

/** Adds news to an issue that the message names already: the numbers that it reached, and the rules. */
function joinNews(known: IssueNews, { reached, rule, otherRules = [] }: NewsItem): IssueNews {
  const rules = rule === undefined ? [] : [rule, ...otherRules].map(toLine);
  const numbers = new Set([known.reached, reached].filter((each) => each !== undefined));
  return {
    ...known,
    ...(rules.length > 0 && { rules: [...new Set([...(known.rules ?? []), ...rules])] }),
    ...(numbers.size > 0 && { reached: [...numbers].join(" and ") }),
  };
}

/** The acts that any reader of the channel may do to the issue. */
function listActs(
  issue: Issue,
  { channelId, isWaiting, toActUrl }: { channelId: number; isWaiting: boolean; toActUrl: ToActUrl },
): MessageAct[] {
  if (issue.status !== "unresolved") return [];
  return LINK_ACTS.filter((act) => act !== "acknowledge" || isWaiting).map((act) => ({
    label: CHANNEL_ACT_WORDS[act].label,
    url: toActUrl({ holder: { channelId }, issueId: issue.id, act }),
  }));
}

/** The message with what happened to its issues since it was sent. */
export function withChanges(message: Message, changes: ReadonlyMap<number, IssueChange>): Message {
  const issues = message.issues.map((issue) => {
    const change = changes.get(issue.issueId);
    if (change === undefined) return issue;
    const { kind, by, assignee } = change;
    return {
      ...issue,
      change: sayChange({ kind, by: by && toLine(by), assignee: assignee && toLine(assignee) }),
      isOver: kind === "resolved" || kind === "archived",
      isTaken: kind === "assigned" || kind === "acknowledged",
    };
  });
  return { ...message, issues };
}

/**
 * The message of "send a test", with a made-up issue. `by`: the person who pressed the button; null: unknown. `where`: the name of the
 * page, as it stands after “on”.
 */
export function composeTest(
  project: { slug: string; name: string },
  {
    key,
    baseUrl,
    now,
    by,
    where,
  }: { key: string; baseUrl: string | null; now: number; by: { name: string } | null; where: string },
): Message {
  const issue: IssueNews = {
    issueId: 0,
    transition: "new",
    change: null,
    isOver: false,
    isTaken: false,
    shortId: `${project.slug.toUpperCase()}-TEST`,
    title: "Test: this is how a new issue is told",
    culprit: toLine(`${by?.name || "Somebody"} pressed “Send a test” on ${where}`),
    level: "info",
    eventCount: 1,
    userCount: 1,
    release: null,
    at: now,
    url: null,
  };
  const more = { new: 0, regressed: 0 };
  return { key, at: now, isTest: true, issues: [issue], more, ...describeProject(project, baseUrl) };
}

function describeProject({ slug, name }: { slug: string; name: string }, baseUrl: string | null) {
  return {
    project: { slug, name: toLine(name) },
    listUrl: baseUrl && `${baseUrl}/issues?project=${slug}`,
    settingsUrl: baseUrl && `${baseUrl}/projects/${slug}/notifications`,
  };
}

function toNews(
  issue: Issue,
  { baseUrl, release, ...fields }: Pick<IssueNews, "transition" | "at" | "release"> & { baseUrl: string | null },
): IssueNews {
  return {
    ...fields,
    issueId: issue.id,
    change: null,
    isOver: false,
    isTaken: false,
    shortId: issue.shortId,
    title: toLine(issue.title),
    culprit: toLine(issue.culprit),
    level: issue.level,
    eventCount: issue.eventCount,
    userCount: issue.userCount,
    release: release && toLine(release),
    url: baseUrl && `${baseUrl}/issues/${issue.id}`,
  };
}

/** A receiver that cannot be reached, in the form of an issue, which every channel can show. */
function toTrouble(
  { at, insteadOf = "somebody", failure = "" }: NewsItem,
  { slug }: { slug: string },
  baseUrl: string | null,
): IssueNews {
  return {
    issueId: 0,
    transition: "undelivered",
    change: null,
    isOver: false,
    isTaken: false,
    shortId: `${slug.toUpperCase()}-DELIVERY`,
    title: `Messages do not reach ${toLine(insteadOf)}`,
    culprit: toLine(failure),
    level: "error",
    eventCount: 0,
    userCount: 0,
    release: null,
    at,
    url: baseUrl && `${baseUrl}/settings/delivery`,
  };
}

/** The feedback about which the item tells. Null: it was deleted, is in *Spam*, or is of another project. */
export async function readFeedbackNews(
  state: Pick<State, "feedbackLinks">,
  { feedbackId }: Pick<NewsItem, "feedbackId">,
  projectId: number,
): Promise<FeedbackNewsItem | null> {
  const said = feedbackId === undefined ? null : await state.feedbackLinks.readNews(feedbackId);
  return said?.projectId === projectId ? said : null;
}

/** Feedback in the form of an issue. */
function toFeedbackNews(
  said: FeedbackNewsItem,
  {
    at,
    release,
    project,
    baseUrl,
  }: { at: number; release: string | null; project: { slug: string }; baseUrl: string | null },
): IssueNews {
  return {
    issueId: 0,
    transition: "feedback",
    change: null,
    isOver: false,
    isTaken: false,
    shortId: `${project.slug.toUpperCase()}-FEEDBACK`,
    title: toLine(said.message),
    culprit: sayFrom(said),
    level: "info",
    eventCount: 0,
    userCount: 0,
    release: release && toLine(release),
    at,
    url: toFeedbackUrl(said, baseUrl),
  };
}

/** Who sent feedback and from where: `from Mia <mia@example.com>, on https://shop.example/cart`. Empty: neither is known. */
export function sayFrom({ name, email, url }: Pick<FeedbackNewsItem, "name" | "email" | "url">): string {
  const who = name === null ? email : email === null ? name : `${name} <${email}>`;
  return toLine([who && `from ${who}`, url && `on ${url}`].filter(Boolean).join(", "));
}

export function toFeedbackUrl({ id }: Pick<FeedbackNewsItem, "id">, baseUrl: string | null): string | null {
  return baseUrl && `${baseUrl}/feedback/${id}`;
}

/** The text on one line, without marks that change the direction of the text after them. Anybody with a DSN can choose these texts. */
export function toLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/\p{Cf}/gu, "")
    .trim();
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH - 1).trimEnd()}…` : line;
}
