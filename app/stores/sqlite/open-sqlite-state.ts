import { stat } from "node:fs/promises";
import { includesProject } from "../../domain/scope.ts";
import { createDirectoryStore, createProjectStore } from "../sql/project-store.ts";
import { createTokenStore } from "../sql/token-store.ts";
import type { State } from "../state/state.ts";
import * as artifacts from "./artifacts/artifacts.ts";
import { countReleaseScripts } from "./artifacts/count-release-scripts.ts";
import * as artifactFiles from "./artifacts/find-artifact-files.ts";
import * as missing from "./artifacts/missing-source-maps.ts";
import { appliedSequence, applyBatch } from "./batches/apply-batch.ts";
import { SqliteConnection } from "./connection.ts";
import { changeIssueStatus, restoreIssueStatuses } from "./issues/issue-status.ts";
import * as issues from "./issues/issues.ts";
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
import * as sessions from "./people/sessions.ts";
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
      listIssues: async (scope, query) => db.read(() => listIssues(db, scope, query, now())),
      getIssue: async (scope, issueId) => issues.getScopedIssue(db, scope, issueId, now()),
      getIssueByShortId: async (scope, shortId) => issues.getScopedIssueByShortId(db, scope, shortId, now()),
      getIssues: async (scope, issueIds) => issues.getIssues(db, scope, issueIds, now()),
      listTrends: async (scope, issueIds, range) => db.read(() => listTrends(db, scope, issueIds, range)),
      changeIssueStatus: (scope, change) => db.write(() => changeIssueStatus(db, scope, change, now())),
      restoreIssueStatuses: (scope, previous, by) =>
        db.write(() => restoreIssueStatuses(db, scope, previous, by, now())),
      listActivity: async (scope, issueId) => issues.listActivity(db, scope, issueId),
      listIssueHashes: async (scope, issueId) => issues.listScopedIssueHashes(db, scope, issueId),
    },
    projects: createProjectStore(queries),
    directory: createDirectoryStore(queries),
    people: {
      getOrganization: async () => people.getOrganization(db),
      setUp: (input) => db.write(() => setUp(db, input)),
      createMember: (member) => db.write(() => people.createMember(db, member)),
      getUser: async (userId) => people.getUser(db, userId),
      findCredentials: async (email) => people.findCredentials(db, email),
      getOwner: async () => people.getOwner(db),
      listUsers: async () => people.listUsers(db),
      changeProfile: (userId, profile) => db.write(() => people.changeProfile(db, userId, profile)),
      makeOwner: (userId) => db.write(() => people.makeOwner(db, userId)),
      listSessions: async (userId, at) => sessions.listSessions(db, userId, at),
      endSession: (userId, sessionId) => db.write(() => sessions.endSession(db, userId, sessionId)),
      changePassword: (userId, passwordHash) => db.write(() => people.changePassword(db, userId, passwordHash)),
      createSession: (session) => db.write(() => sessions.createSession(db, session)),
      getSession: async (tokenHash, at) => sessions.getSession(db, tokenHash, at),
      extendSession: (tokenHash, expiresAt) => db.write(() => sessions.extendSession(db, tokenHash, expiresAt)),
      deleteOtherSessions: (userId, keptTokenHash) =>
        db.write(() => sessions.deleteOtherSessions(db, userId, keptTokenHash)),
      deleteSession: (tokenHash) => db.write(() => sessions.deleteSession(db, tokenHash)),
      getSignInOrigin: async () => db.get<{ origin: string }>("SELECT origin FROM sign_in_origin")?.origin ?? null,
      saveSignInOrigin: (origin) =>
        db.write(() => {
          db.run(
            `INSERT INTO sign_in_origin (id, origin) VALUES (1, :origin)
             ON CONFLICT DO UPDATE SET origin = excluded.origin WHERE origin <> excluded.origin`,
            { origin },
          );
        }),
      deleteExpiredSessions: (at) => db.write(() => sessions.deleteExpiredSessions(db, at)),
      isKnownBrowser: async (browser) => knownBrowsers.isKnownBrowser(db, browser),
      rememberBrowser: (browser) => db.write(() => knownBrowsers.rememberBrowser(db, browser)),
      forgetOtherBrowsers: (userId, keptTokenHash) =>
        db.write(() => knownBrowsers.forgetOtherBrowsers(db, userId, keptTokenHash)),
    },
    tokens: createTokenStore(queries),
    outcomes: {
      sumOutcomes: async (scope, query) => sumOutcomes(db, scope, query),
      addOutcomes: (outcomes) => db.write(() => addOutcomes(db, outcomes)),
    },
    releases: {
      saveRelease: (scope, input) => db.write(() => releases.saveRelease(db, scope, input)),
      getRelease: async (scope, version) => db.read(() => releases.getRelease(db, scope, version)),
      listReleases: async (scope, query) => db.read(() => listReleases(db, scope, query)),
      listLeftOutReleases: async (scope, since) => listLeftOutReleases(db, scope, since),
      deleteRelease: (scope, version) => db.write(() => releases.deleteRelease(db, scope, version)),
      getPreviousRelease: async (scope, version, options) =>
        db.read(() => releases.getPreviousRelease(db, scope, version, options)),
      getNextRelease: async (scope, version) => db.read(() => releases.getNextRelease(db, scope, version)),
      getLatestRelease: async (scope, projectId) => db.read(() => releases.getLatestRelease(db, scope, projectId)),
      setCommits: (scope, version, list) => db.write(() => commits.setCommits(db, scope, version, list)),
      setHeads: (scope, version, heads, at) => db.write(() => setHeads(db, scope, version, heads, at)),
      listCommits: async (scope, version, limit) => db.read(() => commits.listCommits(db, scope, version, limit)),
      findCommitsByPath: async (scope, version, paths) =>
        db.read(() => commits.findCommitsByPath(db, scope, version, paths)),
      addDeploy: (scope, version, deploy) => db.write(() => deploys.addDeploy(db, scope, version, deploy)),
      listDeploys: async (scope, version) => db.read(() => deploys.listDeploys(db, scope, version)),
      listDeploysBetween: async (scope, from, to) => deploys.listDeploysBetween(db, scope, from, to),
      listReleaseIssues: async (scope, version) => db.read(() => listReleaseIssues(db, scope, version)),
      compareReleaseIssues: async (scope, version, base) =>
        db.read(() => compareReleaseIssues(db, scope, version, base)),
    },
    artifacts: {
      saveArtifactBundle: (scope, bundle, files) =>
        db.write(() => artifacts.saveArtifactBundle(db, scope, bundle, files)),
      getArtifactBundle: async (scope, bundleId) => artifacts.findBundle(db, scope, { column: "id", value: bundleId }),
      findArtifactBundle: async (scope, checksum) =>
        artifacts.findBundle(db, scope, { column: "checksum", value: checksum }),
      listArtifactBundles: async (scope, query) => artifacts.listScopedBundles(db, scope, query),
      listArtifactFiles: async (scope, bundleId) =>
        artifacts.findBundle(db, scope, { column: "id", value: bundleId })
          ? artifacts.listArtifactFiles(db, bundleId)
          : [],
      deleteArtifactBundle: (scope, bundleId) => db.write(() => artifacts.deleteArtifactBundle(db, scope, bundleId)),
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
      listArtifactFiles: async (bundleId) => artifacts.listArtifactFiles(db, bundleId),
      findFilesByDebugId: async (projectId, debugIds) => artifactFiles.findFilesByDebugId(db, projectId, debugIds),
      findFilesByUrl: async (where, urls) => artifactFiles.findFilesByUrl(db, where, urls),
      listReleaseUrls: async (where, limit) => artifactFiles.listReleaseUrls(db, where, limit),
      artifactVersion: async () => artifacts.artifactVersion(db),
      listMissingSourceMaps: async (query) => missing.listMissingSourceMaps(db, query),
      findIssuesMissingSourceMaps: async (uploaded) => missing.findIssuesMissingSourceMaps(db, uploaded),
      forgetMissingSourceMaps: (keys) => db.write(() => missing.forgetMissingSourceMaps(db, keys)),
      markMissingForeign: (keys) => db.write(() => missing.markMissingForeign(db, keys)),
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
      listMonitors: async (scope, query) => db.read(() => listMonitors(db, scope, query)),
    },
    reprocessing: {
      getIssue: async (issueId) => issues.getIssue(db, issueId, now()),
      listIssueHashes: async (issueId) => issues.listIssueHashes(db, issueId),
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
      (await db.write(() => missing.dropMissingBefore(db, instantMs) + dropReleaseDaysBefore(db, instantMs))),
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
