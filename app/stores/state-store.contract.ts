import { describe } from "vitest";
import { describeApplyBatch } from "./state-store-contract/apply-batch.contract.ts";
import { describeConnections } from "./state-store-contract/connections.contract.ts";
import type { CreateStateDatabase } from "./state-store-contract/fixture.ts";
import { describeIssueStatus } from "./state-store-contract/issue-status.contract.ts";
import { describeKinKeys } from "./state-store-contract/kin-keys.contract.ts";
import { describeListIssues } from "./state-store-contract/list-issues.contract.ts";
import { describeListManyIssues } from "./state-store-contract/list-many-issues.contract.ts";
import { describeOutcomes } from "./state-store-contract/outcomes.contract.ts";
import { describePeople } from "./state-store-contract/people.contract.ts";
import { describeProjectsAndKeys } from "./state-store-contract/projects-and-keys.contract.ts";
import { describeReportableRefusals } from "./state-store-contract/reportable-refusals.contract.ts";
import { describeReportedWords } from "./state-store-contract/reported-words.contract.ts";
import { describeTrends } from "./state-store-contract/trends.contract.ts";

/** What every engine of `StateStore` must do. Each case asks for an empty database of its own. */
export function describeStateStore(engine: string, createDatabase: CreateStateDatabase): void {
  describe(`StateStore on ${engine}`, () => {
    describe("applying batches", () => describeApplyBatch(createDatabase));
    describe("keys for reports of other engines", () => describeKinKeys(createDatabase));
    describe("listing issues", () => describeListIssues(createDatabase));
    describe("listing many issues", () => describeListManyIssues(createDatabase));
    describe("status of issues", () => describeIssueStatus(createDatabase));
    describe("trends and retention", () => describeTrends(createDatabase));
    describe("the loss ledger", () => describeOutcomes(createDatabase));
    describe("refusals that client reports repeat", () => describeReportableRefusals(createDatabase));
    describe("words of client reports", () => describeReportedWords(createDatabase));
    describe("projects and keys", () => describeProjectsAndKeys(createDatabase));
    describe("organization and people", () => describePeople(createDatabase));
    describe("connections", () => describeConnections(createDatabase));
  });
}
