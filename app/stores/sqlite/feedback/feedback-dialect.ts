import { type ConditionDialect, toLikePattern } from "../../sql/condition-sql.ts";

/** SQL over `feedback AS f` by what searches call it. */
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

/** How searches look at feedback. Values are added to the parameters. */
export function createFeedbackDialect(params: Record<string, string | number>): ConditionDialect {
  let count = 0;
  const bind = (value: string | number) => {
    const name = `where${count++}`;
    params[name] = value;
    return `:${name}`;
  };
  return {
    bind,
    bindList: (values) => `(SELECT value FROM json_each(${bind(JSON.stringify(values))}))`,
    fold: (sql) => `fold_text(${sql})`,
    like: (sql, parts) => `${sql} LIKE ${bind(toLikePattern(parts))} ESCAPE '\\'`,
    field(name) {
      const column = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
      if (column === undefined) throw new RangeError(`feedback has no field ${name}`);
      return column;
    },
    fieldTest: () => null,
    tag(key) {
      throw new RangeError(`feedback has no tag ${key}`);
    },
  };
}
