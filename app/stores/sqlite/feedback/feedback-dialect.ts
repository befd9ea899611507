import type { ConditionDialect } from "../../sql/condition-sql.ts";
import { createTableDialect } from "../table-dialect.ts";

/** SQL for `feedback AS f` by the names of fields in searches. */
const FIELDS: Readonly<Record<string, string>> = {
  status: "f.status",
  isRead: "f.is_read",
  assignee: "coalesce(f.assignee_user_id, f.assignee_team_id)",
  issueId: "f.issue_id",
  message: "f.message",
  name: "f.name",
  email: "f.email",
  url: "f.url",
  projectId: "CAST(f.project_id AS TEXT)",
  environment: "coalesce(f.environment, '')",
  release: "f.release",
  browser: "f.browser",
  source: "f.source",
  traceId: "f.trace_id",
  replayId: "f.replay_id",
  aboutEventId: "f.about_event_id",
  receivedAt: "f.received_at",
  text: "(f.message || ' ' || coalesce(f.name, '') || ' ' || coalesce(f.email, '') || ' ' || coalesce(f.url, ''))",
};

/** The SQL of searches on feedback. Adds the values to the parameters. */
export function createFeedbackDialect(params: Record<string, string | number>): ConditionDialect {
  return createTableDialect("feedback", FIELDS, params);
}
