import type { IssueStore } from "../../state/issue-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { createStoreMethods } from "../store-methods.ts";
import { countIssueValues } from "./count-issue-values.ts";
import { listEnvironmentOverflows } from "./environments.ts";
import { changeIssueStatus, restoreIssueStatuses } from "./issue-status.ts";
import * as issues from "./issues.ts";
import { listIssues } from "./list-issues.ts";
import { listTrends } from "./trends.ts";
import { listUnsettled } from "./unsettled-events.ts";

export function createIssueStore(db: SqliteConnection, now: () => number): IssueStore {
  const { read } = createStoreMethods(db);
  return {
    listIssues: async (scope, query) => db.read(() => listIssues(db, scope, query, now())),
    countIssueValues: async (scope, of) => db.read(() => countIssueValues(db, scope, of, now())),
    getIssue: async (scope, issueId) => issues.getScopedIssue(db, scope, issueId, now()),
    getIssueByShortId: async (scope, shortId) => issues.getScopedIssueByShortId(db, scope, shortId, now()),
    getIssues: async (scope, issueIds) => issues.getIssues(db, scope, issueIds, now()),
    listTrends: read(listTrends),
    listEnvironmentOverflows: read(listEnvironmentOverflows),
    changeIssueStatus: (scope, change) => db.write(() => changeIssueStatus(db, scope, change, now())),
    restoreIssueStatuses: (scope, previous, by) => db.write(() => restoreIssueStatuses(db, scope, previous, by, now())),
    listActivity: read(issues.listActivity),
    listIssueHashes: read(issues.listScopedIssueHashes),
    listUnsettled: read(listUnsettled),
  };
}
