import { LINK_ACT_WORDS, LINK_ACTS, type ToActUrl } from "../domain/act-link.ts";
import { API_SCOPES } from "../domain/api-token.ts";
import type { Issue } from "../domain/issue.ts";
import {
  ACTS,
  type Act,
  type FeedbackNews,
  isAct,
  isForOnePerson,
  RULE_NEWS,
  type RuleNews,
  TRANSITIONS,
  type Transition,
  type Trouble,
} from "../domain/notification.ts";
import { findPaths } from "../domain/people/access.ts";
import { narrowRights, type Role } from "../domain/people/roles.ts";
import type { Scope } from "../domain/scope.ts";
import type { Delivery, NewsItem } from "../stores/state/delivery-store.ts";
import type { FeedbackNewsItem } from "../stores/state/feedback-store.ts";
import type { State } from "../stores/state/state.ts";
import { findPerson } from "./list-person-targets.ts";
import { readFeedbackNews, sayFrom, toFeedbackUrl, toLine } from "./message.ts";
import { NO_LINKS, sayCounts, sayFacts, sayReached, sayRules, sayWhat, TRANSITION_WORDS } from "./message-words.ts";
import { findReaderZone, sayInstant } from "./reader-zone.ts";
import { escapeHtml, type Mail, renderActs } from "./render-mail.ts";
import type { PushNotice } from "./web-push/send-push.server.ts";

/** A message to one member, about acts of other people or from alert rules. Texts have a bounded length. All but comments are on one line. */
export interface Letter {
  address: string;
  /** The slug of the project. */
  project: string;
  mail: Mail;
  /** The same message for a browser. */
  notice: PushNotice;
}

interface LetterItem {
  /** Who did what: `Sam assigned this issue to you`. */
  said: string;
  /** The short id, `SHOP-1`. For news of a rule with numbers: `SHOP-1: 12 events, 3 users, release shop@2`. */
  facts: string;
  /** The time in the reader's zone: `Thu, May 20, 14:00 (Europe/Berlin)`. */
  when: string;
  title: string;
  culprit: string;
  /** The text of a comment, with its line breaks. Empty: there is none. */
  comment: string;
  url: string | null;
  acts: ReadonlyArray<{ label: string; url: string }>;
}

const MAX_COMMENT_CHARACTERS = 2_000;

const SAID: Record<Act, (by: string) => string> = {
  assigned: (by) => `${by} assigned an issue to you or your team`,
  mentioned: (by) => `${by} mentioned you or your team in a comment`,
  commented: (by) => `${by} commented on an issue that you are subscribed to`,
};
const SUBJECTS: Record<Act, string> = {
  assigned: "Assigned to you",
  mentioned: "You were mentioned",
  commented: "New comment",
};

/** Composes what a delivery tells a person. Null: nothing is left to tell, or the person is not a member any more or does not see the project. */
export async function composeLetter(
  state: Pick<
    State,
    "directory" | "reprocessing" | "people" | "comments" | "alertPeriodWork" | "feedbackLinks" | "push" | "quietHours"
  >,
  { target, items, more }: Pick<Delivery, "target" | "items" | "more">,
  { baseUrl, scope, toActUrl = null }: { baseUrl: string | null; scope: Scope; toActUrl?: ToActUrl | null },
): Promise<Letter | null> {
  const userId = findPerson(target);
  if (userId === null) return null;
  const project = await state.directory.getProject(target.projectId);
  const user = await state.people.getUser(userId);
  const access = await state.people.getAccess(userId);
  if (project === null || user === null || access === null || findPaths(access, project.id).length === 0) return null;
  const timezone = await findReaderZone(state, userId);
  const told = new Map<string, LetterItem & { transition: NewsItem["transition"]; subject: string }>();
  for (const item of items) {
    const { transition, issueId, commentId, reached } = item;
    if (transition === "noise") continue;
    const when = sayInstant(item.at, timezone, "short");
    if (transition === "feedback") {
      const said = await readFeedbackNews(state, item, project.id);
      if (said !== null) told.set(`feedback ${said.id}`, { ...toFeedbackItem(said, baseUrl), when });
      continue;
    }
    const issue = await state.reprocessing.getIssue(issueId);
    if (!issue || issue.projectId !== project.id) continue;
    const comment =
      commentId === undefined ? null : await state.comments.getComment(scope, { issueId: issue.id, commentId });
    told.set(`${transition} ${issue.id} ${commentId ?? reached ?? ""}`, {
      transition,
      subject: isAct(transition)
        ? SUBJECTS[transition]
        : sayWhat({ transition, change: null, ...(reached !== undefined && { reached }) }),
      when,
      said: isAct(transition) ? SAID[transition](sayActor(item)) : sayNews(transition, item),
      facts: isAct(transition) ? issue.shortId : `${issue.shortId}: ${sayNumbers(issue, item)}`,
      title: toLine(issue.title),
      culprit: toLine(issue.culprit),
      comment: comment === null ? "" : toLines(comment.text),
      url: baseUrl && `${baseUrl}/issues/${issue.id}`,
      acts:
        toActUrl === null
          ? []
          : listActs(issue, {
              userId,
              role: access.role,
              isWaiting: await state.alertPeriodWork.isUnanswered(issue.id),
              toActUrl,
            }),
    });
  }
  const [first, ...others] = [...told.values()];
  if (first === undefined) return null;
  const count = [...ACTS, ...TRANSITIONS, ...RULE_NEWS, "feedback" as const].reduce(
    (sum, each) => sum + (more[each] ?? 0),
    0,
  );
  const subject =
    others.length === 0 && count === 0
      ? `[${project.slug}] ${first.subject}: ${first.title}`
      : `[${project.slug}] ${sayAll([...told.values()], more) ?? `${told.size + count} changes that concern you`}`;
  return {
    address: user.email,
    project: project.slug,
    mail: render(subject, [...told.values()], { more: count, why: sayWhy(items), hasLinks: baseUrl !== null }),
    notice: {
      title: subject,
      body: [...told.values()]
        .map(({ said, facts, title, comment }) =>
          others.length > 0 ? `${said}: ${title}` : comment === "" ? facts : `${facts}: ${toLine(comment)}`,
        )
        .join("\n"),
      url: others.length === 0 && count === 0 ? first.url : baseUrl && `${baseUrl}/issues?project=${project.slug}`,
    },
  };
}

function toFeedbackItem(said: FeedbackNewsItem, baseUrl: string | null) {
  const subject = TRANSITION_WORDS.feedback;
  const url = toFeedbackUrl(said, baseUrl);
  return {
    transition: "feedback",
    subject,
    said: subject,
    facts: sayFrom(said),
    title: toLine(said.message),
    culprit: "",
    comment: "",
    url,
    acts: [],
  } as const;
}

/** The acts that the person may do by a link and that are not done already. */
function listActs(
  issue: Issue,
  { userId, role, isWaiting, toActUrl }: { userId: number; role: Role; isWaiting: boolean; toActUrl: ToActUrl },
): Array<{ label: string; url: string }> {
  if (issue.status === "resolved") return [];
  const mayChange = narrowRights(role, ["event:write"], API_SCOPES).includes("event:write");
  const isOwn = issue.assignee?.kind === "user" && issue.assignee.id === userId;
  const isUseless = { acknowledge: !isWaiting, assign: isOwn, resolve: false, snooze: false };
  const acts = LINK_ACTS.filter((act) => (act === "snooze" || mayChange) && !isUseless[act]);
  return acts.map((act) => ({
    label: LINK_ACT_WORDS[act].label,
    url: toActUrl({ holder: { userId }, issueId: issue.id, act }),
  }));
}

function sayActor({ by, ownershipRule }: Pick<NewsItem, "by" | "ownershipRule">): string {
  if (ownershipRule !== undefined) return `The ownership rule “${toLine(ownershipRule)}”`;
  return by ? toLine(by) : "The web API";
}

const BY_OWNERSHIP =
  "You get this mail because ownership rules name you or your team. They are on the page Owners of the project.";

const BY_PEOPLE = "You get this mail because somebody else did this. Your own acts are not told.";

const BY_CHOICE = "You get this mail because you are told of feedback. Settings, “How you are told”, turns it off.";

function sayWhy(items: Delivery["items"]): string {
  const names = items.flatMap(({ rule, otherRules = [] }) => (rule === undefined ? [] : [rule, ...otherRules]));
  const rules = [...new Set(names.map(toLine))];
  if (rules.length === 0) {
    if (items.some(({ transition }) => transition === "feedback")) return BY_CHOICE;
    return items.every(({ ownershipRule }) => ownershipRule !== undefined) ? BY_OWNERSHIP : BY_PEOPLE;
  }
  return `You get this mail by the alert ${sayRules(rules)}. Change ${rules.length === 1 ? "it" : "them"} under Alerts.`;
}

/** A comment as it was written, with its line breaks. A longer one is cut: the issue's page has all of it. */
function toLines(text: string): string {
  const clean = text
    .replace(/\n{3,}/g, "\n\n")
    .replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, "")
    .trim();
  return clean.length > MAX_COMMENT_CHARACTERS ? `${clean.slice(0, MAX_COMMENT_CHARACTERS).trimEnd()}…` : clean;
}

/** The numbers of an issue: `12 events, 3 users, release shop@2`. */
function sayNumbers({ eventCount, userCount }: Issue, { release, back }: NewsItem): string {
  return sayFacts({ eventCount, userCount, release: release && toLine(release), ...(back !== undefined && { back }) });
}

/** Counts of the news: `3 new issues, 1 issue came back`. Null: acts of people are among them. */
function sayAll(told: ReadonlyArray<Pick<NewsItem, "transition">>, more: Delivery["more"]): string | null {
  const counts: Partial<Record<Transition | RuleNews | Trouble | FeedbackNews, number>> = {};
  if (ACTS.some((act) => more[act])) return null;
  for (const each of [...TRANSITIONS, ...RULE_NEWS, "feedback" as const]) if (more[each]) counts[each] = more[each];
  for (const { transition } of told) {
    if (isForOnePerson(transition)) return null;
    counts[transition] = (counts[transition] ?? 0) + 1;
  }
  return sayCounts(counts);
}

/** The news in words: `Reached 20 users in 10 minutes`. */
function sayNews(news: Transition | RuleNews | Trouble, { reached, unansweredFor }: Delivery["items"][number]): string {
  if (unansweredFor !== undefined) return `Nobody acknowledged this for ${unansweredFor}`;
  return news === "reached" ? sayReached(reached) : TRANSITION_WORDS[news];
}

function render(
  subject: string,
  items: readonly LetterItem[],
  { more, why, hasLinks }: { more: number; why: string; hasLinks: boolean },
): Mail {
  const rest = more > 0 ? `and ${more.toLocaleString("en")} more` : null;
  const foot = hasLinks ? why : `${why} ${NO_LINKS}`;
  const texts = items.map(({ said, facts, when, title, culprit, comment, url, acts }) =>
    [
      `${said}: ${title}`,
      culprit,
      facts,
      when,
      comment && `\n${comment.replaceAll(/^/gm, "> ")}\n`,
      url,
      ...acts.map((act) => `${act.label}: ${act.url}`),
    ]
      .filter(Boolean)
      .join("\n"),
  );
  const blocks = items.map(
    ({ said, facts, when, title, culprit, comment, url, acts }) => `<div style="padding:0 0 20px">
<div style="font-size:12px">${escapeHtml(said)}</div>
<div style="font-size:16px;font-weight:600;overflow-wrap:anywhere">${url === null ? escapeHtml(title) : `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>`}</div>
<div style="font-family:ui-monospace,monospace;font-size:13px;overflow-wrap:anywhere">${escapeHtml(culprit)}</div>
<div style="font-size:12px">${escapeHtml(facts)}</div>
<div style="font-size:12px">${escapeHtml(when)}</div>${renderComment(comment)}${renderActs(acts)}
</div>`,
  );
  return {
    subject,
    text: `${[...texts, rest, `-- \n${foot}`].filter(Boolean).join("\n\n")}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:16px;font:14px/1.5 system-ui,sans-serif;max-width:640px">
${[...blocks, rest && `<p>${rest}</p>`].filter(Boolean).join("\n")}
<p style="padding-top:16px;border-top:1px solid #8886;font-size:12px">${escapeHtml(foot)}</p>
</body></html>
`,
  };
}

function renderComment(comment: string): string {
  if (comment === "") return "";
  return `
<div style="margin:8px 0;padding:4px 0 4px 10px;border-left:3px solid #8886;white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(comment)}</div>`;
}
