import type { GroupingRuleIndex, GroupingRuleStore } from "../../state/grouping-rule-store.ts";
import type { IssueMergeStore, RegroupingRequests } from "../../state/issue-merge-store.ts";
import type { IssueSplitStore } from "../../state/issue-split-store.ts";
import type { RuleMoveStore, RuleMoveWork } from "../../state/rule-move-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { findIssueIds } from "../issues/grouping-keys.ts";
import { createStoreMethods } from "../store-methods.ts";
import * as groupingRules from "./grouping-rules.ts";
import * as issueMerges from "./issue-merges.ts";
import * as issueSplits from "./issue-splits.ts";
import { listKeptHashes } from "./once-merged.ts";
import * as requests from "./regrouping-requests.ts";
import * as ruleMoves from "./rule-moves.ts";
import { listUses } from "./rule-uses.ts";
import { readVersion } from "./rule-version.ts";

export function createGroupingStores(db: SqliteConnection): {
  groupingRules: GroupingRuleStore;
  groupingRuleIndex: GroupingRuleIndex;
  issueMerges: IssueMergeStore;
  issueSplits: IssueSplitStore;
  ruleMoves: RuleMoveStore;
  ruleMoveWork: RuleMoveWork;
  regroupingRequests: RegroupingRequests;
} {
  const { read, write } = createStoreMethods(db);
  return {
    groupingRules: {
      getRules: read(groupingRules.getRules),
      saveRules: write(groupingRules.saveRules),
      listUses: read(listUses),
    },
    groupingRuleIndex: {
      version: read(readVersion),
      listRules: read(groupingRules.listRules),
      findIssues: async (projectId, hashes) => findIssueIds(db, "issue_hashes", projectId, hashes),
    },
    issueMerges: {
      mergeIssues: write(issueMerges.mergeIssues),
      undoMerge: write(issueMerges.undoMerge),
      renameMerge: write(issueMerges.renameMerge),
      listMerges: read(issueMerges.listMerges),
    },
    issueSplits: {
      splitIssue: write(issueSplits.splitIssue),
      undoSplit: write(issueSplits.undoSplit),
      renameSplit: write(issueSplits.renameSplit),
      listSplits: read(issueSplits.listSplits),
      listMovingIssues: read(issueSplits.listMovingIssues),
    },
    ruleMoves: {
      requestMove: write(ruleMoves.requestMove),
      undoMove: write(ruleMoves.undoMove),
      listMoves: read(ruleMoves.listMoves),
    },
    ruleMoveWork: {
      findOpenMove: read(ruleMoves.findOpenMove),
      nextIssue: read(ruleMoves.nextIssue),
      noteIssue: write(ruleMoves.noteIssue),
      endMove: write(ruleMoves.endMove),
      revertMove: write(ruleMoves.revertMove),
    },
    regroupingRequests: {
      listRequests: read(requests.listRequests),
      noteProgress: write(requests.noteProgress),
      endRequest: write(requests.endRequest),
      listKeptHashes: read(listKeptHashes),
      listUndoneSplitIssues: read(issueSplits.listUndoneSplitIssues),
    },
  };
}
