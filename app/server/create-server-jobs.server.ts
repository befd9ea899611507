import type { Config } from "../config.server.ts";
import type { LiveFeed } from "../domain/live-message.ts";
import type { StorageWatch } from "../domain/storage/storage-watch.ts";
import { createAssignOwnersJob } from "../jobs/assign-owners.ts";
import { createCheckAddressesJob } from "../jobs/check-addresses.ts";
import { createCleanUpJob } from "../jobs/clean-up.ts";
import { createClockGuard } from "../jobs/clock-guard.ts";
import { createEndArchivesJob } from "../jobs/end-archives.ts";
import { createEscalateJob } from "../jobs/escalate.ts";
import { createLinkFeedbackJob } from "../jobs/link-feedback.ts";
import { createMakeRoomJob } from "../jobs/make-room.ts";
import { pauseWhile } from "../jobs/pause-while.ts";
import { createReportFindingsJob } from "../jobs/report-findings.ts";
import { createReportNoiseJob } from "../jobs/report-noise.ts";
import { createRetentionJob } from "../jobs/retention.ts";
import { createRouteAlertsJob } from "../jobs/route-alerts.ts";
import type { Job } from "../jobs/runner.ts";
import { createSuggestOwnersJob } from "../jobs/suggest-owners.ts";
import { createWatchIssuesJob } from "../jobs/watch-issues.ts";
import { createWatchLocationsJob } from "../jobs/watch-locations.ts";
import { createWatchMetricsJob } from "../jobs/watch-metrics.ts";
import { createWatchMonitorsJob } from "../jobs/watch-monitors.ts";
import { type Journals, listJournals, sumStats } from "../journal/journals.ts";
import type { Log } from "../log.server.ts";
import type { ChunkStore } from "../stores/chunk-store.ts";
import type { State } from "../stores/state/state.ts";
import { probe } from "../uptime/probe.server.ts";
import type { EventSide } from "./open-event-side.server.ts";

interface JobParts {
  config: Config;
  state: State;
  journals: Journals;
  eventSide: EventSide;
  chunks: ChunkStore;
  feed: LiveFeed;
  storage: StorageWatch;
  /** Makes the keys of alerts that jobs send. */
  createKey: () => string;
  log: Log;
  now: () => number;
}

/** The background jobs of a server. The event side and notifications have further ones of their own. */
export function createServerJobs({
  config,
  state,
  journals,
  eventSide: { events, payloads, rebuild, accepted },
  chunks,
  feed,
  storage,
  createKey,
  log,
  now,
}: JobParts): readonly Job[] {
  const monotonic = () => performance.now();
  const isRebuilding = () => rebuild() !== null;
  const isClockDistrusted = createClockGuard({ now, monotonic, log });
  const expiring = { state, events, payloads };
  const retention = createRetentionJob(expiring, { retention: config.retention, log, now });
  const makeRoom = createMakeRoomJob(expiring, {
    measure: async () => {
      isClockDistrusted();
      return (await storage.measure()).plan;
    },
    log,
    now,
  });
  const { allowsPrivate, asksNothing } = config.uptime;
  const owners = { state, events, payloads, journals: listJournals(journals), now };
  const isMailSetUp = config.notifications.mail !== null;
  const alerts = { state, events, payloads, isMailSetUp, now, createKey };
  const checkAddresses = createCheckAddressesJob({
    state,
    journal: journals.bulk,
    probe: (settings, signal) => probe(settings, { ...(allowsPrivate && { isPublic: () => true }), now, signal }),
    now,
    log,
  });
  return [
    pauseWhile(retention, () => isRebuilding() || isClockDistrusted()),
    pauseWhile(makeRoom, isRebuilding),
    createAssignOwnersJob(owners),
    createSuggestOwnersJob(owners),
    createWatchMonitorsJob({ monitorWatch: state.monitorWatch, journal: journals.express, now, monotonic, log }),
    ...(asksNothing ? [] : [checkAddresses]),
    createWatchLocationsJob({ state, now, log }),
    createRouteAlertsJob({ ...alerts, journals: listJournals(journals) }),
    createWatchIssuesJob(alerts),
    createEscalateJob(alerts),
    pauseWhile(createReportNoiseJob(alerts), isRebuilding),
    pauseWhile(
      createWatchMetricsJob({ state, events, journal: { stats: () => sumStats(journals) }, now, monotonic, log }),
      isRebuilding,
    ),
    createReportFindingsJob({ state, journal: journals.express, feed, onAccepted: accepted, now }),
    createLinkFeedbackJob({ state, events, now }),
    createEndArchivesJob({ archives: state.archives, feed }, { now }),
    createCleanUpJob({ state, chunks }, { log, now }),
  ];
}
