import type { IssueOfProject } from "../../domain/live-message.ts";
import { findSize } from "../../missing-file.ts";
import { createDirectoryStore, createProjectStore } from "../sql/project-store.ts";
import { createTokenStore } from "../sql/token-store.ts";
import type { State } from "../state/state.ts";
import { createAlertWork } from "./alerts/firings.ts";
import { createNoiseStore, createNoiseWork } from "./alerts/noise.ts";
import { createAlertPeriodStore, createAlertPeriodWork } from "./alerts/period-store.ts";
import { createAlertStore } from "./alerts/rules.ts";
import { createSilenceStore } from "./alerts/silences.ts";
import { createArtifactStores } from "./artifacts/artifact-stores.ts";
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
import { createGroupingStores } from "./grouping/grouping-stores.ts";
import { createCommentStore } from "./issues/comments.ts";
import { createArchiveStore } from "./issues/end-archives.ts";
import { dropEnvironmentsBefore } from "./issues/environments.ts";
import { createExternalIssueStore } from "./issues/external-issues.ts";
import { createIssueStore } from "./issues/issue-store.ts";
import { createShareStores } from "./issues/shares.ts";
import { createSuggestionStore, createSuggestionWork } from "./issues/suggestions.ts";
import { dropTrendsBefore } from "./issues/trends.ts";
import { createTriageStore } from "./issues/triage.ts";
import { createJobStore } from "./jobs/jobs.ts";
import { createMetricWork } from "./metrics/metric-work.ts";
import { createMetricStore } from "./metrics/metrics.ts";
import { migrate, readStateMigrations } from "./migrate.ts";
import { createMonitorStore } from "./monitors/monitor-store.ts";
import { createMonitorWatch } from "./monitors/monitor-watch.ts";
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
import { createEmailChangeStore } from "./people/email-changes.ts";
import { createLinkStores } from "./people/link-stores.ts";
import { createPasskeyStore } from "./people/passkeys.ts";
import { createPeopleStores } from "./people/people-stores.ts";
import { createProviderSignInStore } from "./people/provider-sign-ins.ts";
import { createProviderStore } from "./people/providers.ts";
import { createSecondFactorStore } from "./people/second-factors.ts";
import { createQuotaIndex, createQuotaStore } from "./quotas/quotas.ts";
import { createHealthStore } from "./releases/health-goals.ts";
import { dropReleaseDaysBefore } from "./releases/release-days.ts";
import { createReleaseStores } from "./releases/release-stores.ts";
import { createReprocessingStore } from "./reprocessing/reprocessing-store.ts";
import * as examples from "./rules/filtered-examples.ts";
import * as rules from "./rules/rules.ts";
import { createQueryRunner } from "./run-queries.ts";
import { createStoreMethods } from "./store-methods.ts";
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
  const { read, write } = createStoreMethods(db);
  return {
    issues: createIssueStore(db, now),
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
    ...createPeopleStores(db, now),
    ...createLinkStores(db),
    passkeys: createPasskeyStore(db),
    emailChanges: createEmailChangeStore(db),
    secondFactors: createSecondFactorStore(db),
    providers: createProviderStore(db),
    providerSignIns: createProviderSignInStore(db),
    tokens: createTokenStore(queries),
    outcomes: {
      sumOutcomes: read(sumOutcomes),
      sumExpired: read(sumExpired),
      addOutcomes: write(addOutcomes),
    },
    ...createReleaseStores(db),
    ...createArtifactStores(db),
    monitors: createMonitorStore(db),
    feedback: createFeedbackStore(db),
    health: createHealthStore(db),
    feedbackLinks: createFeedbackLinks(db),
    earlierFeedback: createEarlierFeedbackStore(db),
    monitorWatch: createMonitorWatch(db),
    ...createGroupingStores(db),
    reprocessing: createReprocessingStore(db, now),
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
      const sizes = await Promise.all(["", "-wal", "-shm"].map((suffix) => findSize(`${db.path}${suffix}`)));
      return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    },
    close: async () => db.close(),
  };
}
