import { setImmediate } from "node:timers/promises";
import type { Feedback } from "../../../domain/feedback/feedback.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import { toConditionSql } from "../../sql/condition-sql.ts";
import type {
  FeedbackCounts,
  FeedbackLink,
  FeedbackLinks,
  FeedbackNewsItem,
  FeedbackPage,
  FeedbackQuery,
  FeedbackStore,
  FeedbackSubject,
} from "../../state/feedback-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { memberSees, teamSees } from "../people/sees-project.ts";
import { findMergeTarget } from "../reprocessing/merged-issues.ts";
import { changeFeedback, restoreFeedback } from "./change-feedback.ts";
import { createFeedbackDialect } from "./feedback-dialect.ts";

/** Ids that are read before the event loop gets a turn: some 10 ms. */
const STEP = 5_000;
const MAX_SEARCH_MS = 300;

/** The `Assignee` of `feedback AS f` as JSON. NULL: nobody, or somebody who no longer sees the project. */
const ASSIGNEE_JSON = `CASE
  WHEN f.assignee_user_id IS NOT NULL AND ${memberSees("f.assignee_user_id", "f.project_id")}
    THEN (SELECT json_object('kind', 'user', 'id', u.id, 'name', u.name) FROM users AS u WHERE u.id = f.assignee_user_id)
  WHEN f.assignee_team_id IS NOT NULL AND ${teamSees("f.assignee_team_id", "f.project_id")}
    THEN (SELECT json_object('kind', 'team', 'id', t.id, 'slug', t.slug, 'name', t.name) FROM teams AS t
          WHERE t.id = f.assignee_team_id)
  END AS assignee`;

/** The issue of the feedback, or the one into which it was merged. */
const ISSUE_ID = `coalesce((SELECT g.target_issue_id FROM merged_issues AS g WHERE g.issue_id = f.issue_id),
  (SELECT i.id FROM issues AS i WHERE i.id = f.issue_id)) AS issueId`;

const COLUMNS = `${asFields(
  "f.id, f.project_id, f.source, f.event_id, f.about_event_id, f.trace_id, f.replay_id, f.name, f.email, f.message, f.url, f.environment, f.release, f.browser, f.received_at, f.status, f.spam_reason, f.is_read, f.changed_at",
)}, ${ISSUE_ID}, ${ASSIGNEE_JSON},
  (SELECT json_object('id', u.id, 'name', u.name) FROM users AS u WHERE u.id = f.changed_by) AS changedBy`;

const IN_SCOPE = "f.project_id IN (SELECT value FROM json_each(:projectIds))";

type FeedbackRow = RowOf<Feedback, { isRead: number; assignee: string | null; changedBy: string | null }>;

export function createFeedbackStore(db: SqliteConnection): FeedbackStore {
  return {
    listFeedback: (scope, query) => listFeedback(db, scope, query),
    countFeedback: async (scope) => db.read(() => countFeedback(db, scope)),
    getFeedback: async (scope, id) => {
      const row = db.get<FeedbackRow>(`SELECT ${COLUMNS} FROM feedback AS f WHERE f.id = :id AND ${IN_SCOPE}`, {
        id,
        projectIds: JSON.stringify(scope.projectIds),
      });
      return row === undefined ? null : toFeedback(row);
    },
    getFeedbackByEvent: async (scope, eventId) => {
      const row = db.get<FeedbackRow>(
        `SELECT ${COLUMNS} FROM feedback AS f WHERE f.event_id = :eventId AND ${IN_SCOPE} ORDER BY f.id DESC LIMIT 1`,
        { eventId, projectIds: JSON.stringify(scope.projectIds) },
      );
      return row === undefined ? null : toFeedback(row);
    },
    listFeedbackAbout: async (scope, subject, limit) => db.read(() => listAbout(db, scope, subject, limit)),
    changeFeedback: (scope, change) => db.write(() => changeFeedback(db, scope, change)),
    restoreFeedback: (scope, previous, by) => db.write(() => restoreFeedback(db, scope, previous, by)),
  };
}

export function createFeedbackLinks(db: SqliteConnection): FeedbackLinks {
  return {
    listUnlinked: async ({ since, afterId, limit }) =>
      db.all(
        `SELECT ${asFields("id, project_id, about_event_id")} FROM feedback
         WHERE issue_id IS NULL AND about_event_id IS NOT NULL AND received_at >= :since AND id > :afterId
         ORDER BY id LIMIT :limit`,
        { since: Math.floor(since), afterId, limit },
      ),
    readNews: async (id) =>
      db.get<FeedbackNewsItem>(
        `SELECT ${asFields("id, project_id, message, name, email, url")} FROM feedback WHERE id = :id AND status <> 'spam'`,
        { id },
      ) ?? null,
    linkFeedback: (links) => db.write(() => linkFeedback(db, links)),
  };
}

/** Within a write transaction. */
export function linkFeedback(db: SqliteConnection, links: readonly FeedbackLink[]): void {
  for (const link of links)
    db.run(
      `UPDATE feedback SET issue_id = :issueId, trace_id = coalesce(trace_id, :traceId),
         environment = coalesce(environment, :environment), release = coalesce(release, :release)
       WHERE id = :id`,
      { ...link },
    );
}

/** Reads in steps, newest feedback first, so that a search with few matches does not block the thread. */
async function listFeedback(
  db: SqliteConnection,
  scope: Scope,
  { status, where, before, limit }: FeedbackQuery,
): Promise<FeedbackPage> {
  const ends = db.get<{ first: number | null; last: number | null }>(
    "SELECT min(id) AS first, max(id) AS last FROM feedback",
  );
  const [first, last] = [ends?.first ?? 0, ends?.last ?? 0];
  const endsAt = performance.now() + MAX_SEARCH_MS;
  const feedback: Feedback[] = [];
  let top = Math.min(before ?? last + 1, last + 1);
  // Reads one more than the limit, to know whether there is more.
  while (top > first && feedback.length <= limit) {
    const bottom = Math.max(top - STEP, first);
    const params: Record<string, string | number> = {
      projectIds: JSON.stringify(scope.projectIds),
      top,
      bottom,
      limit: limit + 1 - feedback.length,
      ...(status === null ? {} : { status }),
    };
    const rows = db.all<FeedbackRow>(
      `SELECT ${COLUMNS} FROM feedback AS f
       WHERE f.id < :top AND f.id >= :bottom AND +${IN_SCOPE} ${status === null ? "" : "AND +f.status = :status"}
         AND ${toConditionSql(where, createFeedbackDialect(params))}
       ORDER BY f.id DESC LIMIT :limit`,
      params,
    );
    feedback.push(...rows.map(toFeedback));
    top = bottom;
    if (performance.now() > endsAt) break;
    await setImmediate();
  }
  const page = feedback.slice(0, limit);
  if (feedback.length > limit) return { feedback: page, nextBefore: (page.at(-1) as Feedback).id };
  return { feedback: page, nextBefore: top > first ? top : null };
}

function countFeedback(db: SqliteConnection, scope: Scope): FeedbackCounts {
  const rows = db.all<{ status: Feedback["status"]; total: number; unread: number }>(
    `SELECT f.status, count(*) AS total, sum(f.is_read = 0) AS unread
     FROM feedback AS f WHERE ${IN_SCOPE} GROUP BY f.status`,
    { projectIds: JSON.stringify(scope.projectIds) },
  );
  const of = (status: Feedback["status"]) => {
    const row = rows.find((each) => each.status === status);
    return { total: row?.total ?? 0, unread: row?.unread ?? 0 };
  };
  return { unresolved: of("unresolved"), resolved: of("resolved"), spam: of("spam") };
}

function listAbout(db: SqliteConnection, scope: Scope, subject: FeedbackSubject, limit: number) {
  const projectIds = JSON.stringify(scope.projectIds);
  const [condition, params] =
    "issueId" in subject
      ? [
          `f.issue_id IN (SELECT :issueId UNION ALL SELECT issue_id FROM merged_issues WHERE target_issue_id = :issueId)`,
          { issueId: findMergeTarget(db, subject.issueId) ?? subject.issueId },
        ]
      : ["f.project_id = :projectId AND f.about_event_id = :eventId", subject];
  const where = `${condition} AND f.status <> 'spam' AND +${IN_SCOPE}`;
  const rows = db.all<FeedbackRow>(
    `SELECT ${COLUMNS} FROM feedback AS f WHERE ${where} ORDER BY f.id DESC LIMIT :limit`,
    { ...params, projectIds, limit },
  );
  const counted = db.get<{ count: number }>(`SELECT count(*) AS count FROM feedback AS f WHERE ${where}`, {
    ...params,
    projectIds,
  });
  return { feedback: rows.map(toFeedback), count: counted?.count ?? 0 };
}

function toFeedback({ isRead, assignee, changedBy, ...row }: FeedbackRow): Feedback {
  return {
    ...row,
    isRead: isRead === 1,
    assignee: assignee === null ? null : JSON.parse(assignee),
    changedBy: changedBy === null ? null : JSON.parse(changedBy),
  };
}
