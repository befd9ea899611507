import { describe } from "vitest";
import { describeApplyBatch } from "./state-store-contract/apply-batch.contract.ts";
import { describeArtifacts } from "./state-store-contract/artifacts.contract.ts";
import { describeConnections } from "./state-store-contract/connections.contract.ts";
import type { CreateStateDatabase } from "./state-store-contract/fixture.ts";
import { describeIssueStatus } from "./state-store-contract/issue-status.contract.ts";
import { describeKinKeys } from "./state-store-contract/kin-keys.contract.ts";
import { describeListIssues } from "./state-store-contract/list-issues.contract.ts";
import { describeListManyIssues } from "./state-store-contract/list-many-issues.contract.ts";
import { describeMonitors } from "./state-store-contract/monitors.contract.ts";
import { describeOutcomes } from "./state-store-contract/outcomes.contract.ts";
import { describePeople } from "./state-store-contract/people.contract.ts";
import { describeProjectsAndKeys } from "./state-store-contract/projects-and-keys.contract.ts";
import { describeRegroupEvents } from "./state-store-contract/regroup-events.contract.ts";
import { describeRegroupSums } from "./state-store-contract/regroup-sums.contract.ts";
import { describeReleaseContents } from "./state-store-contract/release-contents.contract.ts";
import { describeReleases } from "./state-store-contract/releases.contract.ts";
import { describeReleasesByEvents } from "./state-store-contract/releases-by-events.contract.ts";
import { describeReportableRefusals } from "./state-store-contract/reportable-refusals.contract.ts";
import { describeReportedWords } from "./state-store-contract/reported-words.contract.ts";
import { describeRepositories } from "./state-store-contract/repositories.contract.ts";
import { describeResolutions } from "./state-store-contract/resolutions.contract.ts";
import { describeSameAssignment } from "./state-store-contract/same-assignment.contract.ts";
import { describeTokens } from "./state-store-contract/tokens.contract.ts";
import { describeTrends } from "./state-store-contract/trends.contract.ts";
import { describeUnfinishedRegrouping } from "./state-store-contract/unfinished-regrouping.contract.ts";
import { describeWantedSourceMaps } from "./state-store-contract/wanted-source-maps.contract.ts";

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
    describe("uploads", () => describeArtifacts(createDatabase));
    describe("regrouping by a late source map", () => describeRegroupEvents(createDatabase));
    describe("what regrouping leaves to be done", () => describeUnfinishedRegrouping(createDatabase));
    describe("sums after regrouping", () => describeRegroupSums(createDatabase));
    describe("commits and deploys", () => describeReleaseContents(createDatabase));
    describe("monitors", () => describeMonitors(createDatabase));
    describe("repositories", () => describeRepositories(createDatabase));
    describe("releases", () => describeReleases(createDatabase));
    describe("releases that events name", () => describeReleasesByEvents(createDatabase));
    describe("what resolved issues wait for", () => describeResolutions(createDatabase));
    describe("batches that are read again", () => describeSameAssignment(createDatabase));
    describe("tokens", () => describeTokens(createDatabase));
    describe("source maps that events want", () => describeWantedSourceMaps(createDatabase));
    describe("connections", () => describeConnections(createDatabase));
  });
}
