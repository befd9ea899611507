import type { ReprocessingStore } from "../../state/reprocessing-store.ts";
import type { SqliteConnection } from "../connection.ts";
import * as issues from "../issues/issues.ts";
import { createStoreMethods } from "../store-methods.ts";
import * as eventMoves from "./event-moves.ts";
import * as late from "./late-issues.ts";
import * as merged from "./merged-issues.ts";
import { recountIssue } from "./recount-issue.ts";
import { regroupEvents } from "./regroup-events.ts";

export function createReprocessingStore(db: SqliteConnection, now: () => number): ReprocessingStore {
  const { read, write } = createStoreMethods(db);
  return {
    getIssue: async (issueId) => issues.getIssue(db, issueId, now()),
    listIssueHashes: read(issues.listIssueHashes),
    regroupEvents: write(regroupEvents),
    listEventMoves: read(eventMoves.listEventMoves),
    confirmEventMoves: write(eventMoves.confirmEventMoves),
    recountIssue: write(recountIssue),
    listUnfinishedMerges: read(merged.listUnfinishedMerges),
    confirmMerges: write(merged.confirmMerges),
    listLateIssues: read(late.listLateIssues),
    forgetLateIssues: write(late.forgetLateIssues),
  };
}
