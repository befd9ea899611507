import { stat } from "node:fs/promises";
import { createProjectStore } from "../sql/project-store.ts";
import { createTokenStore } from "../sql/token-store.ts";
import type { State } from "../state/state.ts";
import * as artifacts from "./artifacts/artifacts.ts";
import { countReleaseScripts } from "./artifacts/count-release-scripts.ts";
import * as artifactFiles from "./artifacts/find-artifact-files.ts";
import * as wanted from "./artifacts/wanted-source-maps.ts";
import { appliedSequence, applyBatch } from "./batches/apply-batch.ts";
import { SqliteConnection } from "./connection.ts";
import { changeIssueStatus, restoreIssueStatuses } from "./issues/issue-status.ts";
import { getIssue, getIssueByShortId, getIssues, listActivity, listIssueHashes } from "./issues/issues.ts";
import { listIssues } from "./issues/list-issues.ts";
import { dropTrendsBefore, listTrends } from "./issues/trends.ts";
import { createJobStore } from "./jobs/jobs.ts";
import { migrate, readStateMigrations } from "./migrate.ts";
import { listMonitors } from "./monitors/monitors.ts";
import { createDeliveryStore } from "./notifications/deliveries.ts";
import { createOutboxStore } from "./notifications/outbox.ts";
import { createNotificationStore } from "./notifications/settings.ts";
import { addOutcomes } from "./outcomes/add-outcomes.ts";
import { dropOutcomesBefore, sumOutcomes } from "./outcomes/outcomes.ts";
import * as knownBrowsers from "./people/known-browsers.ts";
import * as people from "./people/people.ts";
import { setUp } from "./people/set-up.ts";
import * as deploys from "./releases/deploys.ts";
import { listReleases } from "./releases/list-releases.ts";
import * as commits from "./releases/release-commits.ts";
import { dropReleaseDaysBefore, listLeftOutReleases } from "./releases/release-days.ts";
import { setHeads } from "./releases/release-heads.ts";
import { compareReleaseIssues, listReleaseIssues } from "./releases/release-issues.ts";
import * as releases from "./releases/releases.ts";
import * as repositories from "./releases/repositories.ts";
import * as eventMoves from "./reprocessing/event-moves.ts";
import * as late from "./reprocessing/late-issues.ts";
import * as merged from "./reprocessing/merged-issues.ts";
import { recountIssue } from "./reprocessing/recount-issue.ts";
import { regroupEvents } from "./reprocessing/regroup-events.ts";
import { createQueryRunner } from "./run-queries.ts";

export interface SqliteStateOptions {
  /** The database file; `-wal` and `-shm` lie beside it. Its folder is made when it is missing. */
  path: string;
  /** Refuses writes, and a database whose schema is not the newest. */
  readOnly?: boolean;
  /** Milliseconds since 1970; decides until when an issue is new. */
  now?: () => number;
}

/**
 * Opens the state database, and brings it to the newest schema. The same file may be open several times, in any threads
 * and processes: readers never wait, writers wait for each other for 5 seconds at most, without blocking their thread.
 * @throws {Error} when the file is no state database, comes from a newer version, or one of its migrations was edited.
 */
export async function openSqliteState(options: SqliteStateOptions): Promise<State> {
  const db = await SqliteConnection.open({ path: options.path, isReadOnly: options.readOnly ?? false });
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
  return {
    issues: {
      listIssues: async (query) => db.read(() => listIssues(db, query, now())),
      getIssue: async (issueId) => getIssue(db, issueId, now()),
      getIssueByShortId: async (shortId) => getIssueByShortId(db, shortId, now()),
      getIssues: async (issueIds) => getIssues(db, issueIds, now()),
      listTrends: async (issueIds, range) => db.read(() => listTrends(db, issueIds, range)),
      changeIssueStatus: (change) => db.write(() => changeIssueStatus(db, change, now())),
      restoreIssueStatuses: (previous, by) => db.write(() => restoreIssueStatuses(db, previous, by, now())),
      listActivity: async (issueId) => listActivity(db, issueId),
      listIssueHashes: async (issueId) => listIssueHashes(db, issueId),
    },
    projects: createProjectStore(queries),
    people: {
      getOrganization: async () => people.getOrganization(db),
      setUp: (input) => db.write(() => setUp(db, input)),
      getUser: async (userId) => people.getUser(db, userId),
      findCredentials: async (email) => people.findCredentials(db, email),
      getOwner: async () => people.getOwner(db),
      changePassword: (userId, passwordHash) => db.write(() => people.changePassword(db, userId, passwordHash)),
      createSession: (session) => db.write(() => people.createSession(db, session)),
      getSession: async (tokenHash, at) => people.getSession(db, tokenHash, at),
      extendSession: (tokenHash, expiresAt) => db.write(() => people.extendSession(db, tokenHash, expiresAt)),
      deleteOtherSessions: (userId, keptTokenHash) =>
        db.write(() => people.deleteOtherSessions(db, userId, keptTokenHash)),
      deleteSession: (tokenHash) => db.write(() => people.deleteSession(db, tokenHash)),
      deleteExpiredSessions: (at) => db.write(() => people.deleteExpiredSessions(db, at)),
      isKnownBrowser: async (browser) => knownBrowsers.isKnownBrowser(db, browser),
      rememberBrowser: (browser) => db.write(() => knownBrowsers.rememberBrowser(db, browser)),
      forgetOtherBrowsers: (userId, keptTokenHash) =>
        db.write(() => knownBrowsers.forgetOtherBrowsers(db, userId, keptTokenHash)),
    },
    tokens: createTokenStore(queries),
    outcomes: {
      sumOutcomes: async (query) => sumOutcomes(db, query),
      addOutcomes: (outcomes) => db.write(() => addOutcomes(db, outcomes)),
    },
    releases: {
      saveRelease: (input) => db.write(() => releases.saveRelease(db, input)),
      getRelease: async (version) => db.read(() => releases.getRelease(db, version)),
      listReleases: async (query) => db.read(() => listReleases(db, query)),
      listLeftOutReleases: async (projectIds, since) => listLeftOutReleases(db, projectIds, since),
      deleteRelease: (version) => db.write(() => releases.deleteRelease(db, version)),
      getPreviousRelease: async (version, options) => db.read(() => releases.getPreviousRelease(db, version, options)),
      getNextRelease: async (version) => db.read(() => releases.getNextRelease(db, version)),
      getLatestRelease: async (projectId) => db.read(() => releases.getLatestRelease(db, projectId)),
      setCommits: (version, list) => db.write(() => commits.setCommits(db, version, list)),
      setHeads: (version, heads, at) => db.write(() => setHeads(db, version, heads, at)),
      listCommits: async (version, limit) => db.read(() => commits.listCommits(db, version, limit)),
      findCommitsByPath: async (version, paths) => db.read(() => commits.findCommitsByPath(db, version, paths)),
      addDeploy: (version, deploy) => db.write(() => deploys.addDeploy(db, version, deploy)),
      listDeploys: async (version) => db.read(() => deploys.listDeploys(db, version)),
      listDeploysBetween: async (projectIds, from, to) => deploys.listDeploysBetween(db, projectIds, from, to),
      listReleaseIssues: async (version, projectIds) => db.read(() => listReleaseIssues(db, version, projectIds)),
      compareReleaseIssues: async (version, base, projectIds) =>
        db.read(() => compareReleaseIssues(db, version, base, projectIds)),
    },
    artifacts: {
      saveArtifactBundle: (bundle, files) => db.write(() => artifacts.saveArtifactBundle(db, bundle, files)),
      getArtifactBundle: async (bundleId) => artifacts.getArtifactBundle(db, bundleId),
      findArtifactBundle: async (checksum) => artifacts.findArtifactBundle(db, checksum),
      listArtifactBundles: async (query) => artifacts.listArtifactBundles(db, query),
      listArtifactFiles: async (bundleId) => artifacts.listArtifactFiles(db, bundleId),
      deleteArtifactBundle: (bundleId) => db.write(() => artifacts.deleteArtifactBundle(db, bundleId)),
      findFilesByDebugId: async (projectId, debugIds) => artifactFiles.findFilesByDebugId(db, projectId, debugIds),
      findFilesByUrl: async (where, urls) => artifactFiles.findFilesByUrl(db, where, urls),
      countReleaseScripts: async (where) => countReleaseScripts(db, where),
      listReleaseUrls: async (where, limit) => artifactFiles.listReleaseUrls(db, where, limit),
      artifactVersion: async () => artifacts.artifactVersion(db),
      listWantedSourceMaps: async (query) => wanted.listWantedSourceMaps(db, query),
      findIssuesWantingSourceMaps: async (uploaded) => wanted.findIssuesWantingSourceMaps(db, uploaded),
      forgetWantedSourceMaps: (keys) => db.write(() => wanted.forgetWantedSourceMaps(db, keys)),
      markWantedForeign: (keys) => db.write(() => wanted.markWantedForeign(db, keys)),
    },
    repositories: {
      listRepositories: async (query) => db.read(() => repositories.listRepositories(db, query)),
      getRepository: async (repositoryId) => repositories.getRepository(db, repositoryId),
      createRepository: (input) => db.write(() => repositories.createRepository(db, input)),
      changeRepository: (repositoryId, change) =>
        db.write(() => repositories.changeRepository(db, repositoryId, change)),
      deleteRepository: (repositoryId) => db.write(() => repositories.deleteRepository(db, repositoryId)),
    },
    monitors: {
      listMonitors: async (query) => db.read(() => listMonitors(db, query)),
    },
    reprocessing: {
      regroupEvents: (change) => db.write(() => regroupEvents(db, change)),
      listEventMoves: async (limit) => eventMoves.listEventMoves(db, limit),
      confirmEventMoves: (moves) => db.write(() => eventMoves.confirmEventMoves(db, moves)),
      recountIssue: (issue) => db.write(() => recountIssue(db, issue)),
      listUnsweptIssues: async (limit) => merged.listUnsweptIssues(db, limit),
      confirmSwept: (issueIds) => db.write(() => merged.confirmSwept(db, issueIds)),
      listLateIssues: async (limit) => late.listLateIssues(db, limit),
      forgetLateIssues: (issues) => db.write(() => late.forgetLateIssues(db, issues)),
    },
    batches: {
      appliedSequence: async (journalId) => appliedSequence(db, journalId),
      applyBatch: (batch) => db.write(() => applyBatch(db, batch)),
    },
    jobs: createJobStore(db),
    outbox: createOutboxStore(db),
    notifications: createNotificationStore(db),
    deliveries: createDeliveryStore(db),

    dropBefore: async (instantMs) =>
      (await dropTrendsBefore(db, instantMs)) +
      (await dropOutcomesBefore(db, instantMs)) +
      (await db.write(() => wanted.dropWantedBefore(db, instantMs) + dropReleaseDaysBefore(db, instantMs))),
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
