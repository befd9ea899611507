import { describe } from "vitest";
import { describeAlerts } from "./contract/alerts.contract.ts";
import { describeAliasFingerprints } from "./contract/alias-fingerprints.contract.ts";
import { describeApplyBatch } from "./contract/apply-batch.contract.ts";
import { describeArchives } from "./contract/archives.contract.ts";
import { describeArtifacts } from "./contract/artifacts.contract.ts";
import { describeAudit } from "./contract/audit.contract.ts";
import { describeChannels } from "./contract/channels.contract.ts";
import { describeComments } from "./contract/comments.contract.ts";
import { describeConnections } from "./contract/connections.contract.ts";
import { describeDeletions } from "./contract/deletions.contract.ts";
import { describeDeliveries } from "./contract/deliveries.contract.ts";
import { describeEmailChanges } from "./contract/email-changes.contract.ts";
import { describeExternalIssues } from "./contract/external-issues.contract.ts";
import { describeFeedback } from "./contract/feedback.contract.ts";
import { describeFindings } from "./contract/findings.contract.ts";
import { describeFixedIssues } from "./contract/fixed-issues.contract.ts";
import { type CreateStateDatabase, NOON } from "./contract/fixture.ts";
import { describeGroupingMoves } from "./contract/grouping-moves.contract.ts";
import { describeGroupingRules } from "./contract/grouping-rules.contract.ts";
import { describeHealth } from "./contract/health.contract.ts";
import { describeInvitations } from "./contract/invitations.contract.ts";
import { describeIssueMerges } from "./contract/issue-merges.contract.ts";
import { describeIssueSplits } from "./contract/issue-splits.contract.ts";
import { describeIssueStatus } from "./contract/issue-status.contract.ts";
import { describeJobs } from "./contract/jobs.contract.ts";
import { describeListIssues } from "./contract/list-issues.contract.ts";
import { describeListManyIssues } from "./contract/list-many-issues.contract.ts";
import { describeMembers } from "./contract/members.contract.ts";
import { describeMissingSourceMaps } from "./contract/missing-source-maps.contract.ts";
import { describeMonitors } from "./contract/monitors.contract.ts";
import { describeNotifications } from "./contract/notifications.contract.ts";
import { describeOutbox } from "./contract/outbox.contract.ts";
import { describeOutcomes } from "./contract/outcomes.contract.ts";
import { describePasskeys } from "./contract/passkeys.contract.ts";
import { describePeople } from "./contract/people.contract.ts";
import { describeProjectsAndKeys } from "./contract/projects-and-keys.contract.ts";
import { describeProviders } from "./contract/providers.contract.ts";
import { describeQuotas } from "./contract/quotas.contract.ts";
import { describeRegroupEvents } from "./contract/regroup-events.contract.ts";
import { describeRegroupSums } from "./contract/regroup-sums.contract.ts";
import { describeReleaseContents } from "./contract/release-contents.contract.ts";
import { describeReleases } from "./contract/releases.contract.ts";
import { describeReleasesByEvents } from "./contract/releases-by-events.contract.ts";
import { describeReportableRefusals } from "./contract/reportable-refusals.contract.ts";
import { describeReportedWords } from "./contract/reported-words.contract.ts";
import { describeRepositories } from "./contract/repositories.contract.ts";
import { describeResolutions } from "./contract/resolutions.contract.ts";
import { describeRuleMoves } from "./contract/rule-moves.contract.ts";
import { describeRules } from "./contract/rules.contract.ts";
import { describeSameAssignment } from "./contract/same-assignment.contract.ts";
import { describeSavedViews } from "./contract/saved-views.contract.ts";
import { describeScopes } from "./contract/scopes.contract.ts";
import { describeSearchIssues } from "./contract/search-issues.contract.ts";
import { describeSecondFactors } from "./contract/second-factors.contract.ts";
import { describeShares } from "./contract/shares.contract.ts";
import { describeTokens } from "./contract/tokens.contract.ts";
import { describeTrends } from "./contract/trends.contract.ts";
import { describeTriage } from "./contract/triage.contract.ts";
import { describeUnfinishedRegrouping } from "./contract/unfinished-regrouping.contract.ts";
import { describeUptime } from "./contract/uptime.contract.ts";
import type { State } from "./state.ts";

/** The contract of every engine of `State`. Each case asks for an empty database of its own. */
export function describeState(engine: string, createDatabase: CreateStateDatabase): void {
  describe(`State on ${engine}`, () => {
    describe("alert rules", () => describeAlerts(createDatabase));
    describe("applying batches", () => describeApplyBatch(createDatabase));
    describe("keys of the version of the grouping before", () => describeGroupingMoves(createDatabase));
    describe("rules of the grouping", () => describeGroupingRules(createDatabase));
    describe("merged issues", () => describeIssueMerges(createDatabase));
    describe("moves of stored events", () => describeRuleMoves(createDatabase));
    describe("split issues", () => describeIssueSplits(createDatabase));
    describe("keys for reports of other engines", () => describeAliasFingerprints(createDatabase));
    describe("listing issues", () => describeListIssues(createDatabase));
    describe("listing many issues", () => describeListManyIssues(createDatabase));
    describe("searching issues", () => describeSearchIssues(createDatabase));
    describe("who works on issues, and how urgent they are", () => describeTriage(createDatabase));
    describe("comments and who follows issues", () => describeComments(createDatabase));
    describe("tasks elsewhere", () => describeExternalIssues(createDatabase));
    describe("status of issues", () => describeIssueStatus(createDatabase));
    describe("issues that commits fix", () => describeFixedIssues(createDatabase));
    describe("links for strangers", () => describeShares(createDatabase));
    describe("archived issues that come back", () => describeArchives(createDatabase));
    describe("findings of Culprit itself", () => describeFindings(createDatabase));
    describe("addresses that are checked", () => describeUptime(createDatabase));
    describe("trends and retention", () => describeTrends(createDatabase));
    describe("the loss ledger", () => describeOutcomes(createDatabase));
    describe("refusals that client reports repeat", () => describeReportableRefusals(createDatabase));
    describe("words of client reports", () => describeReportedWords(createDatabase));
    describe("projects and keys", () => describeProjectsAndKeys(createDatabase));
    describe("quotas", () => describeQuotas(createDatabase));
    describe("rules of projects", () => describeRules(createDatabase));
    describe("organization and people", () => describePeople(createDatabase));
    describe("the audit log", () => describeAudit(createDatabase));
    describe("members and teams", () => describeMembers(createDatabase));
    describe("providers", () => describeProviders(createDatabase));
    describe("passkeys", () => describePasskeys(createDatabase));
    describe("changes of addresses", () => describeEmailChanges(createDatabase));
    describe("second factors", () => describeSecondFactors(createDatabase));
    describe("invitations and links", () => describeInvitations(createDatabase));
    describe("uploads", () => describeArtifacts(createDatabase));
    describe("regrouping by a late source map", () => describeRegroupEvents(createDatabase));
    describe("what regrouping leaves to be done", () => describeUnfinishedRegrouping(createDatabase));
    describe("sums after regrouping", () => describeRegroupSums(createDatabase));
    describe("commits and deploys", () => describeReleaseContents(createDatabase));
    describe("monitors", () => describeMonitors(createDatabase));
    describe("goals of release health", () => describeHealth(createDatabase));
    describe("feedback", () => describeFeedback(createDatabase));
    describe("repositories", () => describeRepositories(createDatabase));
    describe("saved views", () => describeSavedViews(createDatabase));
    describe("releases", () => describeReleases(createDatabase));
    describe("releases that events name", () => describeReleasesByEvents(createDatabase));
    describe("what resolved issues wait for", () => describeResolutions(createDatabase));
    describe("scopes", () => describeScopes(createDatabase));
    describe("batches that are read again", () => describeSameAssignment(createDatabase));
    describe("deletions", () => describeDeletions(createDatabase));
    describe("tokens", () => describeTokens(createDatabase, createOwner));
    describe("source maps that events want", () => describeMissingSourceMaps(createDatabase));
    describe("background jobs", () => describeJobs(createDatabase));
    describe("the outbox", () => describeOutbox(createDatabase));
    describe("settings of notifications", () => describeNotifications(createDatabase));
    describe("channels", () => describeChannels(createDatabase));
    describe("the queue of messages", () => describeDeliveries(createDatabase));
    describe("connections", () => describeConnections(createDatabase));
  });
}

async function createOwner(state: State): Promise<number> {
  const set = await state.people.setUp({
    organization: { slug: "o", name: "O" },
    owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
    project: null,
    at: NOON,
  });
  if (!set.ok) throw new Error("the owner is there already");
  return set.userId;
}
