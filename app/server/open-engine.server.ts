import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { MonitoringOptions } from "../../instrument.server.ts";
import { type Engine, registerEngine } from "../access/engine.ts";
import { scopeOfServer } from "../access/server-scope.ts";
import { createHoldCommand } from "../backup/hold-command.server.ts";
import { beginUpgradeSnapshot } from "../backup/upgrade-snapshot.server.ts";
import { readBundleManifest } from "../browser-sdk/bundle-manifest.ts";
import { createLoaderEndpoint } from "../browser-sdk/serve-loader.server.ts";
import type { Config } from "../config.server.ts";
import { runAccountCommand } from "../control/account-commands.server.ts";
import { openControlSocket } from "../control/open-control-socket.server.ts";
import { canOthersRead } from "../data-folder/can-others-read.server.ts";
import { claimDataFolder } from "../data-folder/claim-data-folder.server.ts";
import { dataPaths } from "../data-folder/data-paths.ts";
import { lockDataFolder } from "../data-folder/lock-data-folder.server.ts";
import { requireAccess } from "../data-folder/require-access.server.ts";
import type { BuildVersion } from "../domain/build-version.ts";
import { createPasswordHasher } from "../features/auth/password-hasher.server.ts";
import { createSetUpCode } from "../features/auth/set-up-code.server.ts";
import type { Ingest } from "../ingest/create-ingest.ts";
import { OWNERS_READER } from "../jobs/assign-owners.ts";
import { exchangeWithLocation } from "../jobs/exchange-with-location.ts";
import { ALERTS_READER } from "../jobs/route-alerts.ts";
import type { JobRunner } from "../jobs/runner.ts";
import { listJournals } from "../journal/journals.ts";
import type { Log } from "../log.server.ts";
import { createProviderClient } from "../providers/create-provider-client.server.ts";
import { findMonitoring } from "../sentry/monitoring.server.ts";
import { openBlobFiles } from "../stores/files/open-blob-files.ts";
import { openChunkFiles } from "../stores/files/open-chunk-files.ts";
import { openSqliteState } from "../stores/sqlite/open-sqlite-state.ts";
import type { State } from "../stores/state/state.ts";
import { createBundleReader } from "../symbolicate/create-bundle-reader.ts";
import { createActivityPublisher } from "./activity-publisher.ts";
import { readBuildVersion, toRelease } from "./build-version.server.ts";
import { createServerJobs } from "./create-server-jobs.server.ts";
import { createFailedSignIns } from "./failed-sign-ins.ts";
import { announceProject, compareConfiguredPassword, setUpFromConfig } from "./first-start.server.ts";
import { createLiveFeed } from "./live-feed.ts";
import { createMetrics, type Metrics } from "./metrics.server.ts";
import { type EventSide, openEventSide } from "./open-event-side.server.ts";
import { openIngestSide } from "./open-ingest-side.server.ts";
import { openNotifications } from "./open-notifications.server.ts";
import { listReadinessChecks, requireEventSide } from "./readiness-checks.ts";
import { startServerJobs } from "./start-server-jobs.server.ts";
import { createStatusEndpoints } from "./status-endpoints.server.ts";
import { createStorageWatch } from "./storage-watch.server.ts";
import { createWorkTraces } from "./trace-work.ts";

/** The jobs' part of the 9.5 s of a stop (server.ts), after the requests. A job that takes longer is cut off, which is safe. */
const FINISH_JOBS_MS = 3_000;

/** The parts of a server in one process; events are accepted as soon as there is one. */
export interface RunningEngine {
  /** Answers the requests of machines: ingest, health, metrics, the tunnel. False when it is for someone else. */
  handle(req: IncomingMessage, res: ServerResponse): boolean;
  /** Resolves when pages can be served: stores, digest and monitoring run, and routes find the engine. */
  readonly ready: Promise<void>;
  readonly metrics: Metrics;
  readonly build: BuildVersion;
  /** Sets the URL of the server once it is known, and logs the DSN of the configured project. */
  announce(url: string): Promise<void>;
  /** Ends background jobs and the digest, which takes most of a stop. Requests may come meanwhile: events are accepted, pages are served. */
  endWork(): Promise<void>;
  /** Finishes the running work. No request may be handled any more. */
  close(): Promise<void>;
}

export interface EngineOptions {
  log: Log;
  loadSdk: MonitoringOptions["loadSdk"];
  /** The folder where the build put the browser's files. Null in development. */
  clientFolder?: string | null;
}

/**
 * Opens what accepting an event needs, and lets the rest follow by itself: the journal and the keys take milliseconds,
 * DuckDB and the SDK most of a second.
 *
 * @throws when the data folder is in use, or its contents are of a newer version.
 * @throws {DataFolderError} when a store of the folder is lost, belongs to another folder, or cannot be read and written. `ready` rejects with it, too.
 */
export async function openEngine(config: Config, options: EngineOptions): Promise<RunningEngine> {
  const lock = lockDataFolder(config.dataDir);
  try {
    requireAccess(config.dataDir);
    const engine = await openParts(config, options);
    return {
      ...engine,
      async close() {
        await engine.close();
        lock.unlock();
      },
    };
  } catch (error) {
    // In development the process continues and opens the next engine.
    lock.unlock();
    throw error;
  }
}

async function openParts(config: Config, { log, loadSdk, clientFolder = null }: EngineOptions): Promise<RunningEngine> {
  if (config.unknownVariables.length > 0) {
    log.warn({ variables: config.unknownVariables }, "variables that look like Culprit's and are not");
  }
  const paths = dataPaths(config.dataDir);
  const build = readBuildVersion();
  const upgrade = await beginUpgradeSnapshot({ paths, version: build.version }, log);
  const folder = await claimDataFolder(paths, log);
  const now = Date.now;
  const metrics = createMetrics(build);
  const feed = createLiveFeed(log);
  let url = config.server.publicUrl ?? `http://localhost:${config.server.port}`;

  let eventSide: EventSide | undefined;
  const state = await openSqliteState({ path: paths.state, onActivity: createActivityPublisher(feed, now) });
  if (canOthersRead(paths.state)) {
    const { dataDir } = config;
    log.warn({ dataDir }, `every user of this machine can read the events and password hashes: chmod 700 ${dataDir}`);
  }
  watchOverflows(metrics, state);
  const passwords = createPasswordHasher();
  const setUpCode = createSetUpCode();
  const failedSignIns = createFailedSignIns(state.audit.note, {
    onError: (error) => log.warn({ err: error }, "failed sign-ins cannot be noted"),
  });
  await setUpFromConfig({ state, passwords }, config.firstStart, { log, now });
  const { journals, meter, disk, keys, quotas, ingest, selfMonitoring } = await openIngestSide({
    config,
    journalDir: paths.journal,
    release: toRelease(build),
    loadSdk,
    state,
    metrics,
    baseUrl: () => url,
    onAccepted: (eventId, sequence, projectId) => eventSide?.accepted(eventId, sequence, projectId),
    log,
    now,
  });

  const neutralPath = `${config.neutralPaths[0]}/`;
  const traces = createWorkTraces({
    record: (work) => findMonitoring()?.recordWork(work),
    ownProjectId: selfMonitoring.ownProjectId,
    windowMs: config.monitoring.workTraceSeconds * 1000,
  });
  let runner: JobRunner | undefined;
  let isStarting = true;
  let finishNotes = async () => {};
  const ready = openRest().finally(() => {
    isStarting = false;
  });
  // A caller that awaits it gets the error. Perhaps nobody awaits it yet.
  ready.catch(() => {});

  async function openRest(): Promise<void> {
    // Answers the requests first that came meanwhile.
    await setImmediate();
    const jobLog = log.child({ part: "jobs" });
    const { publicUrl } = config.server;
    const {
      jobs: notificationJobs,
      notifications,
      ...opened
    } = await openNotifications({
      config: config.notifications,
      publicUrl,
      state,
      metrics,
      log: jobLog,
      now,
    });
    finishNotes = opened.finishNotes;
    await state.outbox.addReader(OWNERS_READER);
    // Must come before the digest applies check-ins that came in time.
    await state.monitorWatch.noteAlive(now()).catch((error: unknown) => {
      // Another process holds the database. The job notes it a little later.
      log.warn({ err: error }, "the start cannot be noted for monitors yet");
    });
    await state.outbox.addReader(ALERTS_READER);
    await upgrade.addEvents();
    eventSide = await openEventSide({
      paths,
      folder: folder.events,
      stores: config.stores,
      digestThreads: config.digest.threads,
      minFreeDiskBytes: config.journal.minFreeDiskBytes,
      state,
      journals,
      feed,
      metrics,
      traces,
      onIssues: () => runner?.wake("route-alerts"),
      log,
    });
    await folder.forgetAcceptedLosses();
    await upgrade.noteUpgraded();
    const { events, payloads } = eventSide;
    const storage = createStorageWatch({
      meter,
      payloads,
      events,
      limits: config.storage,
      retention: config.retention,
      now,
    });
    metrics.watch({ storage: storage.last });
    storage.measure().catch((error: unknown) => jobLog.warn({ err: error }, "the data folder cannot be measured"));
    const blobs = await openBlobFiles({ dir: paths.blobs });
    const chunks = await openChunkFiles({
      dir: paths.chunks,
      minFreeDiskBytes: config.journal.minFreeDiskBytes,
      freeBytes: disk.freeBytes,
    });
    registerEngine({
      state,
      events,
      payloads,
      blobs,
      chunks,
      journals: listJournals(journals),
      feed,
      logTail: eventSide.logTail,
      passwords,
      setUpCode,
      failedSignIns,
      providerClient: createProviderClient({
        allowsPrivate: config.signIn.allowsPrivateProviders,
        onProblem: ({ name }, { message }) =>
          log.warn({ provider: name, reason: message }, "a provider does not say who signs in"),
      }),
      symbolicate: eventSide.symbolicate,
      readBundle: createBundleReader(),
      sourceMapPass: eventSide.sourceMapPass,
      monitoringProjectId: selfMonitoring.ownProjectId,
      isPending: eventSide.isPending,
      hasAccepted: eventSide.hasAccepted,
      rebuild: eventSide.rebuild,
      hideDeleted: eventSide.hideDeleted,
      findUserData: eventSide.findUserData,
      previewGrouping: eventSide.previewGrouping,
      listSplitValues: eventSide.listSplitValues,
      testPrivacy: eventSide.testPrivacy,
      storage,
      backlog: eventSide.backlog,
      acceptEnvelope: (publicKey, envelope) => acceptEnvelope(ingest, publicKey, envelope),
      exchangeWithLocation: (tokenId, report) =>
        exchangeWithLocation({ state, journal: journals.bulk, now, log }, tokenId, report),
      async reloadKeys() {
        await keys.reload();
        await selfMonitoring.refresh();
      },
      quotaUses: (projectId) => quotas.listUses(projectId, now()),
      notifications,
      settings: {
        publicUrl,
        neutralPath,
        apiToken: config.server.apiToken,
        retention: config.retention,
        proxySignIn: config.signIn.byProxy,
        allowsPrivateChecks: config.uptime.allowsPrivate,
        ...build,
        trustProxy: config.server.trustProxy,
      },
    });
    runner = await startServerJobs({
      jobs: [
        ...eventSide.jobs,
        ...notificationJobs,
        ...createServerJobs({
          config,
          state,
          journals,
          eventSide,
          chunks,
          feed,
          storage,
          createKey: notifications.createKey,
          log: jobLog,
          now,
        }),
      ],
      state,
      metrics,
      traces,
      log: jobLog,
    });
    await selfMonitoring.refresh();
    compareConfiguredPassword({ state, passwords }, config.firstStart.admin, log).catch(() => {
      // The server is stopping.
    });
  }

  let ending: Promise<{ whenJobsEnd: Promise<void> }> | undefined;
  function endWork(): Promise<{ whenJobsEnd: Promise<void> }> {
    ending ??= ready
      .catch(() => {})
      .then(async () => {
        const whenJobsEnd = runner?.close({ withinMs: FINISH_JOBS_MS }) ?? Promise.resolve();
        await eventSide?.endDigest();
        return { whenJobsEnd };
      });
    return ending;
  }

  const control = await openControlSocket({
    dataDir: config.dataDir,
    commands: {
      hold: createHoldCommand(async () => {
        await ready;
        return requireEventSide(eventSide).events;
      }),
      account: async ({ args }) => ({
        printed: await runAccountCommand(
          {
            people: state.people,
            secondFactors: state.secondFactors,
            audit: state.audit,
            passwords,
            setUpCode: setUpCode.code,
            now: now(),
          },
          Array.isArray(args) ? args.map(String) : [],
        ),
      }),
    },
    log: log.child({ part: "control" }),
  });

  const handleStatus = createStatusEndpoints({
    checks: () => listReadinessChecks({ journals, state, eventSide, payloadDir: paths.payloads }),
    build,
    delivers: async () => {
      const { failing, dead } = await state.deliveries.countDeliveries();
      return failing + dead === 0;
    },
    rebuild: () => eventSide?.rebuild() ?? null,
    renderMetrics: async () => ({ contentType: metrics.contentType, text: await metrics.render() }),
    isStarting: () => isStarting,
    isStopping: () => ending !== undefined,
    metricsTokens: config.server.metricsTokens,
    log,
  });

  const handleLoader = createLoaderEndpoint({
    findKey: (publicKey) => keys.find(publicKey)?.key,
    isLoaded: () => keys.isLoaded,
    manifest: clientFolder === null ? null : readBundleManifest(clientFolder),
    tunnel: neutralPath,
    baseUrl: () => url,
  });

  return {
    ready,
    metrics,
    build,
    handle(req, res) {
      if (ingest.handle(req, res) || handleStatus(req, res) || handleLoader(req, res)) return true;
      if (req.url?.split("?", 1)[0] !== config.monitoring.tunnelPath) return false;
      ingest.handleTunnel(req, res);
      return true;
    },
    async announce(reachedAt) {
      url = reachedAt;
      await announceProject(
        { state, setUpCode: setUpCode.code, log },
        { projectSlug: config.firstStart.projectSlug, url },
      );
    },
    async endWork() {
      await endWork();
    },
    async close() {
      await control.close();
      await finishNotes();
      const { whenJobsEnd } = await endWork();
      registerEngine(undefined);
      traces.close();
      await selfMonitoring.close();
      await ingest.close();
      keys.close();
      await quotas.close();
      await eventSide?.close(whenJobsEnd);
      await whenJobsEnd;
      for (const journal of listJournals(journals)) await journal.close();
      await passwords.close();
      await failedSignIns.close();
      await state.close();
    },
  };
}

/** Watches the items that found no room in their projects. */
function watchOverflows(metrics: Metrics, state: State): void {
  const openScope = async () => scopeOfServer((await state.directory.listProjects()).map(({ id }) => id));
  metrics.watch({
    async monitorOverflows() {
      const { overflows } = await state.monitors.listMonitors(await openScope(), { cursor: null, limit: 1 });
      return overflows.reduce((sum, { checkInCount }) => sum + checkInCount, 0);
    },
    async environmentOverflows() {
      const overflows = await state.issues.listEnvironmentOverflows(await openScope());
      return overflows.reduce((sum, { eventCount }) => sum + eventCount, 0);
    },
  });
}

async function acceptEnvelope(
  ingest: Ingest,
  publicKey: string,
  body: Uint8Array,
): ReturnType<Engine["acceptEnvelope"]> {
  const { status, body: answer } = await ingest.ingestEnvelope({ body, publicKey });
  const { id, detail }: { id?: string; detail?: string } = JSON.parse(answer ?? "{}");
  return status === 200 ? { ok: true, eventId: id ?? null } : { ok: false, status, detail: detail ?? "" };
}
