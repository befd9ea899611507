import { stat } from "node:fs/promises";
import type { IssueOfProject } from "../../domain/live-message.ts";
import { includesProject } from "../../domain/scope.ts";
import { createDirectoryStore, createProjectStore } from "../sql/project-store.ts";
import { createTokenStore } from "../sql/token-store.ts";
import type { State } from "../state/state.ts";
import { createAlertWork } from "./alerts/firings.ts";
import { createNoiseStore, createNoiseWork } from "./alerts/noise.ts";
import { createAlertPeriodStore, createAlertPeriodWork } from "./alerts/period-store.ts";
import { createAlertStore } from "./alerts/rules.ts";
import { createSilenceStore } from "./alerts/silences.ts";
import * as artifacts from "./artifacts/artifacts.ts";
import { countReleaseScripts } from "./artifacts/count-release-scripts.ts";
import * as artifactFiles from "./artifacts/find-artifact-files.ts";
import * as missing from "./artifacts/missing-source-maps.ts";
import { createAuditStore } from "./audit/audit.ts";
import { appliedSequence, applyBatch } from "./batches/apply-batch.ts";
import { createChannelMessageStore } from "./channels/channel-messages.ts";
import { createChannelStore } from "./channels/channels.ts";
import { SqliteConnection } from "./connection.ts";
import { createDeletionWork } from "./deletions/deletion-work.ts";
import { createDeletionStore } from "./deletions/deletions.ts";
import { createEarlierFeedbackStore } from "./feedback/earlier-feedback.ts";
import { createFeedbackLinks, createFeedbackStore } from "./feedback/feedback.ts";
import { createFindingStore } from "./findings/findings.ts";
import * as groupingRules from "./grouping/grouping-rules.ts";
import * as issueMerges from "./grouping/issue-merges.ts";
import * as issueSplits from "./grouping/issue-splits.ts";
import { listKeptHashes } from "./grouping/once-merged.ts";
import * as requests from "./grouping/regrouping-requests.ts";
import * as ruleMoves from "./grouping/rule-moves.ts";
import { listUses } from "./grouping/rule-uses.ts";
import { readVersion } from "./grouping/rule-version.ts";
import { createCommentStore } from "./issues/comments.ts";
import { countIssueValues } from "./issues/count-issue-values.ts";
import { createArchiveStore } from "./issues/end-archives.ts";
import { dropEnvironmentsBefore, listEnvironmentOverflows } from "./issues/environments.ts";
import { createExternalIssueStore } from "./issues/external-issues.ts";
import { findIssueIds } from "./issues/grouping-keys.ts";
import { changeIssueStatus, restoreIssueStatuses } from "./issues/issue-status.ts";
import * as issues from "./issues/issues.ts";
import { listIssues } from "./issues/list-issues.ts";
import { createShareStores } from "./issues/shares.ts";
import { createSuggestionStore, createSuggestionWork } from "./issues/suggestions.ts";
import { dropTrendsBefore, listTrends } from "./issues/trends.ts";
import { createTriageStore } from "./issues/triage.ts";
import { listUnsettled } from "./issues/unsettled-events.ts";
import { createJobStore } from "./jobs/jobs.ts";
import { createMetricWork } from "./metrics/metric-work.ts";
import { createMetricStore } from "./metrics/metrics.ts";
import { migrate, readStateMigrations } from "./migrate.ts";
import * as changedMonitors from "./monitors/change-monitors.ts";
import { createMonitorWatch } from "./monitors/monitor-watch.ts";
import * as monitors from "./monitors/monitors.ts";
import { loadDowntimes } from "./monitors/watched-environments.ts";
import { createActLinkStore } from "./notifications/act-links.ts";
import { createDeliveryStore } from "./notifications/deliveries.ts";
import { createOutboxStore } from "./notifications/outbox.ts";
import { createPushStore } from "./notifications/push.ts";
import { createQuietHoursStore } from "./notifications/quiet-hours.ts";
import { createNotificationStore } from "./notifications/settings.ts";
import { createUndeliveredStore } from "./notifications/undelivered.ts";
import { addOutcomes } from "./outcomes/add-outcomes.ts";
import { createDamageStore, dropDamagedBefore } from "./outcomes/damaged-items.ts";
import { createExpirationStore } from "./outcomes/expirations.ts";
import { dropOutcomesBefore, sumExpired, sumOutcomes } from "./outcomes/outcomes.ts";
import { getAccess } from "./people/access.ts";
import { createEmailChangeStore } from "./people/email-changes.ts";
import * as knownBrowsers from "./people/known-browsers.ts";
import { createLinkStores } from "./people/link-stores.ts";
import * as members from "./people/members.ts";
import { createPasskeyStore } from "./people/passkeys.ts";
import * as people from "./people/people.ts";
import { createProviderSignInStore } from "./people/provider-sign-ins.ts";
import { createProviderStore } from "./people/providers.ts";
import * as savedViews from "./people/saved-views.ts";
import { createSecondFactorStore } from "./people/second-factors.ts";
import * as sessions from "./people/sessions.ts";
import { setUp } from "./people/set-up.ts";
import * as teams from "./people/teams.ts";
import { createQuotaIndex, createQuotaStore } from "./quotas/quotas.ts";
import * as deploys from "./releases/deploys.ts";
import { findVersions } from "./releases/find-versions.ts";
import { createHealthStore } from "./releases/health-goals.ts";
import { listReleases } from "./releases/list-releases.ts";
import * as commits from "./releases/release-commits.ts";
import { dropReleaseDaysBefore, listLeftOutReleases } from "./releases/release-days.ts";
import { setHeads } from "./releases/release-heads.ts";
import { compareReleaseIssues, listReleaseIssues } from "./releases/release-issues.ts";
import * as releases from "./releases/releases.ts";
import * as repositories from "./releases/repositories.ts";
import { resolveFixedIssues } from "./releases/resolve-fixed-issues.ts";
import * as eventMoves from "./reprocessing/event-moves.ts";
import * as late from "./reprocessing/late-issues.ts";
import * as merged from "./reprocessing/merged-issues.ts";
import { recountIssue } from "./reprocessing/recount-issue.ts";
import { regroupEvents } from "./reprocessing/regroup-events.ts";
import * as examples from "./rules/filtered-examples.ts";
import * as rules from "./rules/rules.ts";
import { createQueryRunner } from "./run-queries.ts";
import { createStatusPageStores } from "./uptime/status-pages.ts";
import { createUptimeStore } from "./uptime/uptime.ts";
import { createUptimeLocationStore, createUptimeLocationWork } from "./uptime/uptime-locations.ts";
import { createUptimeWork, dropUptimeBefore } from "./uptime/uptime-work.ts";
import { dropVolumeBefore } from "./volume/apply-volume.ts";
import * as volumes from "./volume/volumes.ts";

export interface SqliteStateOptions {
  /** The database file. `-wal` and `-shm` are beside it. Its folder is made if it is missing. */
  path: string;
  /** Refuses writes, and a database whose schema is not the newest. */
  readOnly?: boolean;
  /** Milliseconds since 1970; decides until when an issue is new. */
  now?: () => number;
  /** Called after the commit of each entry in the activity of an issue, also if several change together. Must not throw. */
  onActivity?: (issue: IssueOfProject) => void;
}

/**
 * Opens the state database, and brings it to the newest schema. The same file may be open several times, in any threads and processes:
 * readers never wait, and writers wait for each other for 5 seconds at most, without blocking their thread.
 * @throws {Error} when the file is not a state database, comes from a newer version, or one of its migrations was edited
 */
export async function openSqliteState(options: SqliteStateOptions): Promise<State> {
  const db = await SqliteConnection.open({ path: options.path, isReadOnly: options.readOnly ?? false });
  db.onActivity = options.onActivity ?? null;
  try {
    await migrate(db, readStateMigrations());
  } catch (error) {
    db.close();
    throw error;
  }
  return createState(db, options.now ?? Date.now);
}

function createState(db: SqliteConnection, now: () => number): State {
  const queries = createQueryRunner(db);
  const directory = createDirectoryStore(queries);
  type Work<Input extends unknown[], Result> = (db: SqliteConnection, ...input: Input) => Result;
  // Makes methods of stores from functions: `read` runs one on a snapshot, `write` in a write transaction.
  function read<Input extends unknown[], Result>(work: Work<Input, Result>) {
    return async (...input: Input) => db.read(() => work(db, ...input));
  }
  function write<Input extends unknown[], Result>(work: Work<Input, Result>) {
    return (...input: Input) => db.write(() => work(db, ...input));
  }
  return {
    issues: {
      listIssues: async (scope, query) => db.read(() => listIssues(db, scope, query, now())),
      countIssueValues: async (scope, of) => db.read(() => countIssueValues(db, scope, of, now())),
      getIssue: async (scope, issueId) => issues.getScopedIssue(db, scope, issueId, now()),
      getIssueByShortId: async (scope, shortId) => issues.getScopedIssueByShortId(db, scope, shortId, now()),
      getIssues: async (scope, issueIds) => issues.getIssues(db, scope, issueIds, now()),
      listTrends: read(listTrends),
      listEnvironmentOverflows: read(listEnvironmentOverflows),
      changeIssueStatus: (scope, change) => db.write(() => changeIssueStatus(db, scope, change, now())),
      restoreIssueStatuses: (scope, previous, by) =>
        db.write(() => restoreIssueStatuses(db, scope, previous, by, now())),
      listActivity: read(issues.listActivity),
      listIssueHashes: read(issues.listScopedIssueHashes),
      listUnsettled: read(listUnsettled),
    },
    triage: createTriageStore(db),
    comments: createCommentStore(db),
    externalIssues: createExternalIssueStore(db),
    suggestions: createSuggestionStore(db),
    suggestionWork: createSuggestionWork(db),
    ...createShareStores(db),
    projects: createProjectStore(queries),
    directory,
    ruleIndex: { listRules: read(rules.listRules), version: directory.version },
    rules: {
      getRules: read(rules.getRules),
      saveRules: (scope, projectId, kind, value) => db.write(() => rules.saveRules(db, scope, projectId, kind, value)),
      listExamples: read(examples.listExamples),
      getExample: read(examples.getExample),
    },
    volumes: {
      sumIssue: read(volumes.sumIssueVolume),
      listLeftOut: async (scope, query) => db.read(() => volumes.listLeftOut(db, scope, query, now())),
      getProjectHour: read(volumes.getProjectHour),
    },
    quotas: createQuotaStore(db),
    quotaIndex: createQuotaIndex(db),
    people: {
      getOrganization: read(people.getOrganization),
      setUp: write(setUp),
      createMember: write(people.addMember),
      getUser: read(people.getUser),
      getAccess: read(getAccess),
      findCredentials: read(people.findCredentials),
      getOwner: read(people.getOwner),
      listUsers: read(people.listUsers),
      changeProfile: write(people.changeProfile),
      makeOwner: write(people.makeOwner),
      listSessions: read(sessions.listSessions),
      endSession: write(sessions.endSession),
      changePassword: write(people.changePassword),
      createSession: write(sessions.createSession),
      getSession: read(sessions.getSession),
      renewSession: write(sessions.renewSession),
      extendSession: write(sessions.extendSession),
      deleteOtherSessions: write(sessions.deleteOtherSessions),
      deleteSession: write(sessions.deleteSession),
      getSignInOrigin: async () => db.get<{ origin: string }>("SELECT origin FROM sign_in_origin")?.origin ?? null,
      saveSignInOrigin: (origin) =>
        db.write(() => {
          db.run(
            `INSERT INTO sign_in_origin (id, origin) VALUES (1, :origin)
             ON CONFLICT DO UPDATE SET origin = excluded.origin WHERE origin <> excluded.origin`,
            { origin },
          );
        }),
      deleteExpiredSessions: write(sessions.deleteExpiredSessions),
      isKnownBrowser: read(knownBrowsers.isKnownBrowser),
      rememberBrowser: write(knownBrowsers.rememberBrowser),
      forgetOtherBrowsers: write(knownBrowsers.forgetOtherBrowsers),
    },
    ...createLinkStores(db),
    passkeys: createPasskeyStore(db),
    emailChanges: createEmailChangeStore(db),
    secondFactors: createSecondFactorStore(db),
    providers: createProviderStore(db),
    providerSignIns: createProviderSignInStore(db),
    members: {
      listMembers: read(members.listMembers),
      getMember: read(members.getMember),
      changeMember: async (scope, change) => db.write(() => members.changeMember(db, scope, change, now())),
      removeMember: write(members.removeMember),
      restoreMember: write(members.restoreMember),
      resetSecondFactor: write(members.resetSecondFactor),
      disconnectMember: write(members.disconnectMember),
      isSecondFactorRequired: async () => db.read(() => people.getOrganization(db)?.requiresSecondFactor ?? false),
      requireSecondFactor: write(members.requireSecondFactor),
      renameOrganization: write(members.renameOrganization),
      listTeams: read(teams.listTeams),
      getTeam: read(teams.getTeam),
      createTeam: write(teams.createTeam),
      changeTeam: async (scope, change) => db.write(() => teams.changeTeam(db, scope, change, now())),
      deleteTeam: write(teams.deleteTeam),
    },
    tokens: createTokenStore(queries),
    outcomes: {
      sumOutcomes: read(sumOutcomes),
      sumExpired: read(sumExpired),
      addOutcomes: write(addOutcomes),
    },
    releases: {
      saveRelease: write(releases.saveRelease),
      getRelease: read(releases.getRelease),
      listReleases: read(listReleases),
      listLeftOutReleases: read(listLeftOutReleases),
      deleteRelease: write(releases.deleteRelease),
      getPreviousRelease: read(releases.getPreviousRelease),
      getNextRelease: read(releases.getNextRelease),
      findVersions: read(findVersions),
      getLatestRelease: read(releases.getLatestRelease),
      setCommits: write(commits.setCommits),
      setHeads: write(setHeads),
      listCommits: read(commits.listCommits),
      resolveFixedIssues: write(resolveFixedIssues),
      findCommitsByPath: read(commits.findCommitsByPath),
      addDeploy: write(deploys.addDeploy),
      listDeploys: read(deploys.listDeploys),
      listDeploysBetween: read(deploys.listDeploysBetween),
      listReleaseIssues: read(listReleaseIssues),
      compareReleaseIssues: read(compareReleaseIssues),
    },
    artifacts: {
      sumUploads: read(artifacts.sumUploads),
      saveArtifactBundle: write(artifacts.saveArtifactBundle),
      getArtifactBundle: async (scope, bundleId) => artifacts.findBundle(db, scope, { column: "id", value: bundleId }),
      findArtifactBundle: async (scope, checksum) =>
        artifacts.findBundle(db, scope, { column: "checksum", value: checksum }),
      listArtifactBundles: read(artifacts.listScopedBundles),
      listArtifactFiles: async (scope, bundleId) =>
        artifacts.findBundle(db, scope, { column: "id", value: bundleId })
          ? artifacts.listArtifactFiles(db, bundleId)
          : [],
      deleteArtifactBundle: write(artifacts.deleteArtifactBundle),
      findFilesByDebugId: async (scope, projectId, debugIds) =>
        includesProject(scope, projectId) ? artifactFiles.findFilesByDebugId(db, projectId, debugIds) : [],
      findFilesByUrl: async (scope, where, urls) =>
        includesProject(scope, where.projectId) ? artifactFiles.findFilesByUrl(db, where, urls) : [],
      countReleaseScripts: async (scope, where) =>
        includesProject(scope, where.projectId) ? countReleaseScripts(db, where) : { count: 0, mappedCount: 0 },
      listMissingSourceMaps: async (scope, query) =>
        missing.listMissingSourceMaps(db, { ...query, projectIds: scope.projectIds }),
    },
    artifactIndex: {
      listArtifactBundles: async ({ projectId, ...query }) =>
        artifacts.listArtifactBundles(db, {
          ...query,
          ...(projectId === undefined ? {} : { projectIds: [projectId] }),
        }),
      listArtifactFiles: read(artifacts.listArtifactFiles),
      findFilesByDebugId: read(artifactFiles.findFilesByDebugId),
      findFilesByUrl: read(artifactFiles.findFilesByUrl),
      listReleaseUrls: read(artifactFiles.listReleaseUrls),
      artifactVersion: read(artifacts.artifactVersion),
      listMissingSourceMaps: read(missing.listMissingSourceMaps),
      findIssuesMissingSourceMaps: read(missing.findIssuesMissingSourceMaps),
      forgetMissingSourceMaps: write(missing.forgetMissingSourceMaps),
      markMissingForeign: write(missing.markMissingForeign),
    },
    repositories: {
      listRepositories: read(repositories.listRepositories),
      getRepository: read(repositories.getRepository),
      createRepository: write(repositories.createRepository),
      changeRepository: write(repositories.changeRepository),
      deleteRepository: write(repositories.deleteRepository),
    },
    savedViews: {
      listViews: read(savedViews.listViews),
      createView: write(savedViews.createView),
      changeView: write(savedViews.changeView),
      moveView: write(savedViews.moveView),
      deleteView: write(savedViews.deleteView),
      setDefaultView: write(savedViews.setDefaultView),
      restoreDefaults: write(savedViews.restoreDefaults),
    },
    monitors: {
      listMonitors: read(monitors.listMonitors),
      listByState: read(monitors.listByState),
      getMonitor: read(monitors.getMonitor),
      listRuns: read(monitors.listRuns),
      sumRuns: read(monitors.sumRuns),
      listTicks: read(monitors.listTicks),
      listDowntimes: read(loadDowntimes),
      createMonitor: write(changedMonitors.createMonitor),
      changeMonitor: write(changedMonitors.changeMonitor),
      pause: write(changedMonitors.pause),
      deleteMonitor: write(changedMonitors.deleteMonitor),
    },
    feedback: createFeedbackStore(db),
    health: createHealthStore(db),
    feedbackLinks: createFeedbackLinks(db),
    earlierFeedback: createEarlierFeedbackStore(db),
    monitorWatch: createMonitorWatch(db),
    groupingRules: {
      getRules: read(groupingRules.getRules),
      saveRules: write(groupingRules.saveRules),
      listUses: read(listUses),
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
    groupingRuleIndex: {
      version: read(readVersion),
      listRules: read(groupingRules.listRules),
      findIssues: async (projectId, hashes) => findIssueIds(db, "issue_hashes", projectId, hashes),
    },
    reprocessing: {
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
    },
    batches: {
      appliedSequence: read(appliedSequence),
      listLastFiltered: read(examples.listLastFiltered),
      applyBatch: write(applyBatch),
    },
    audit: createAuditStore(db),
    jobs: createJobStore(db),
    archives: createArchiveStore(db),
    outbox: createOutboxStore(db),
    findings: createFindingStore(db),
    uptime: createUptimeStore(db),
    uptimeWork: createUptimeWork(db),
    uptimeLocations: createUptimeLocationStore(db),
    uptimeLocationWork: createUptimeLocationWork(db),
    ...createStatusPageStores(db),
    metrics: createMetricStore(db),
    metricWork: createMetricWork(db),
    alerts: createAlertStore(db),
    silences: createSilenceStore(db),
    alertWork: createAlertWork(db),
    alertPeriods: createAlertPeriodStore(db),
    alertPeriodWork: createAlertPeriodWork(db),
    alertNoise: createNoiseStore(db),
    alertNoiseWork: createNoiseWork(db),
    expirations: createExpirationStore(db),
    damage: createDamageStore(db),
    notifications: createNotificationStore(db),
    deliveries: createDeliveryStore(db),
    undelivered: createUndeliveredStore(db),
    quietHours: createQuietHoursStore(db),
    push: createPushStore(db),
    actLinks: createActLinkStore(db),
    channels: createChannelStore(db),
    channelMessages: createChannelMessageStore(db),
    deletions: createDeletionStore(db),
    deletionWork: createDeletionWork(db),
    checkpoint: async () => db.checkpoint(),

    dropBefore: async (instantMs) =>
      (await dropTrendsBefore(db, instantMs)) +
      (await dropOutcomesBefore(db, instantMs)) +
      (await db.write(
        () =>
          missing.dropMissingBefore(db, instantMs) +
          dropReleaseDaysBefore(db, instantMs) +
          dropEnvironmentsBefore(db, instantMs) +
          dropDamagedBefore(db, instantMs) +
          dropVolumeBefore(db, instantMs) +
          dropUptimeBefore(db, instantMs),
      )),
    ping: async () => {
      db.get("SELECT version FROM configuration WHERE id = 1");
    },
    bytesOnDisk: async () => {
      const sizes = await Promise.all(["", "-wal", "-shm"].map((suffix) => sizeOf(`${db.path}${suffix}`)));
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    close: async () => db.close(),
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}
