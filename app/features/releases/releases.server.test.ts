import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { Commit } from "../../domain/release.ts";
import { MAX_RELEASES_BY_EVENTS_PER_DAY } from "../../domain/releases/name-releases.ts";
import type { SessionCounts, SessionFilter } from "../../stores/events/sessions.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { apply, createProject, EVERYTHING, NOON, occurrence } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { changeRelease } from "./change-release.server.ts";
import { getReleasePage } from "./get-release-page.server.ts";
import { listReleasePage } from "./list-releases.server.ts";
import { parseReleaseFilters } from "./release-filters.ts";

/** Nobody has sent a session. */
const events = { countSessions: async () => [] };

let folder: string;
let state: State;
let projectId: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-releases-"));
  state = await openTestState({ path: join(folder, "state.db"), now: () => NOON });
  projectId = await createProject(state, "web");
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

function commit(id: string): Commit {
  return { id, repository: "acme/web", authorName: "Ada", authorEmail: null, at: NOON, message: id, files: null };
}

async function change(version: string, fields: Record<string, string>) {
  const release = await state.releases.getRelease(EVERYTHING, version);
  if (!release) throw new Error(`there is no ${version}`);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return changeRelease(testWorkspace({ state }), { release, form, now: NOON });
}

const open = (version: string, tab: string, query = "") =>
  getReleasePage(testWorkspace({ state }), { version, tab, url: new URL(`http://x/?${query}`) });

test("a release is finalized, archived and restored; what is unknown is refused", async () => {
  await state.releases.saveRelease(EVERYTHING, { version: "web@1", projectIds: [projectId], at: NOON - 9 });
  await change("web@1", { intent: "finalize" });
  await change("web@1", { intent: "archive" });
  expect(await state.releases.getRelease(EVERYTHING, "web@1")).toMatchObject({ status: "archived", releasedAt: NOON });
  await change("web@1", { intent: "restore" });
  expect(await state.releases.getRelease(EVERYTHING, "web@1")).toMatchObject({ status: "open", releasedAt: NOON });
  expect(await change("web@1", { intent: "explode" })).toMatchObject({ ok: false, status: 400, field: "page" });
});

test("a release opens on the first group of issues that has something, and on the one that is asked for", async () => {
  const groupOf = async (version: string, query?: string) => {
    const content = (await open(version, "issues", query))?.content;
    return content?.tab === "issues" ? { group: content.group, counts: content.counts } : null;
  };
  await apply(state, [occurrence(0, "a", { projectId, release: "web@1" }), occurrence(1, "b", { projectId })]);
  await apply(state, [
    occurrence(2, "a", { projectId, release: "web@2" }),
    occurrence(3, "b", { projectId, release: "web@2" }),
  ]);
  expect((await groupOf("web@1"))?.group).toBe("new");
  expect(await groupOf("web@2")).toEqual({ group: "seen", counts: { new: 0, regressed: 0, seen: 2, resolved: 0 } });
  expect((await groupOf("web@2", "issues=new"))?.group).toBe("new");
  await state.releases.saveRelease(EVERYTHING, { version: "web@3", projectIds: [projectId], at: NOON });
  expect((await groupOf("web@3"))?.group).toBe("new");
});

test("a release that an event names stays, another one goes", async () => {
  await apply(state, [occurrence(0, "a", { release: "web@1", projectId })]);
  await state.releases.saveRelease(EVERYTHING, { version: "web@2", projectIds: [projectId], at: NOON });
  expect(await change("web@1", { intent: "delete" })).toMatchObject({ ok: false, status: 409 });
  expect(await change("web@2", { intent: "delete" })).toMatchObject({ ok: true, isDeleted: true });
  expect(await state.releases.getRelease(EVERYTHING, "web@2")).toBeNull();
});

test.each([
  [{ environment: " " }, "environment"],
  [{ environment: "x".repeat(65) }, "environment"],
  [{ environment: "production", url: "javascript:alert(1)" }, "url"],
  [{ environment: "production", name: "x".repeat(201) }, "name"],
])("a deploy like %j is refused for its %s", async (fields, field) => {
  await state.releases.saveRelease(EVERYTHING, { version: "web@1", projectIds: [projectId], at: NOON });
  expect(await change("web@1", { intent: "add-deploy", ...fields })).toMatchObject({ ok: false, status: 400, field });
  expect(await state.releases.listDeploys(EVERYTHING, "web@1")).toEqual([]);
});

test("an upload of another release is not deleted through this one", async () => {
  for (const version of ["web@1", "web@2"])
    await state.releases.saveRelease(EVERYTHING, { version, projectIds: [projectId], at: NOON });
  const bundle = await state.artifacts.saveArtifactBundle(
    EVERYTHING,
    {
      checksum: "a".repeat(40),
      container: "zip",
      debugId: null,
      note: null,
      bytes: 10,
      uploadedAt: NOON,
      uploadedBy: null,
      projectIds: [projectId],
      releases: [{ version: "web@2", dist: null }],
    },
    [],
  );
  const fields = { intent: "delete-upload", upload: String(bundle.id) };
  expect(await change("web@1", fields)).toMatchObject({ ok: false, status: 404 });
  expect(await change("web@1", { ...fields, upload: "x" })).toMatchObject({ ok: false, status: 404 });
  expect(await state.artifacts.getArtifactBundle(EVERYTHING, bundle.id)).not.toBeNull();
});

test("the list has the last deploy to each environment, and the numbers of the projects asked for", async () => {
  const other = await createProject(state, "api");
  await apply(state, [
    occurrence(0, "a", { release: "1.0", projectId, at: NOON - 5 }),
    occurrence(1, "b", { release: "1.0", projectId: other, at: NOON }),
  ]);
  const deploy = { projectIds: null, name: null, url: null, startedAt: null };
  await state.releases.addDeploy(EVERYTHING, "1.0", { ...deploy, environment: "staging", finishedAt: NOON - 3 });
  await state.releases.addDeploy(EVERYTHING, "1.0", { ...deploy, environment: "production", finishedAt: NOON - 2 });
  await state.releases.addDeploy(EVERYTHING, "1.0", { ...deploy, environment: "staging", finishedAt: NOON - 1 });
  const list = (query: string) =>
    listReleasePage(testWorkspace({ state, events }), {
      filters: parseReleaseFilters(new URLSearchParams(query)),
      now: NOON,
    });
  const all = (await list("")).releases[0];
  expect(all).toMatchObject({ eventCount: 2, newIssueCount: 2, lastEventAt: NOON });
  expect(all?.deploys.map(({ environment, finishedAt }) => [environment, finishedAt])).toEqual([
    ["staging", NOON - 1],
    ["production", NOON - 2],
  ]);
  expect((await list("project=web")).releases[0]).toMatchObject({ eventCount: 1, lastEventAt: NOON - 5 });
  await state.releases.addDeploy(EVERYTHING, "1.0", {
    ...deploy,
    projectIds: [other],
    environment: "api only",
    finishedAt: NOON,
  });
  const environmentsOf = async (query: string) =>
    (await list(query)).releases[0]?.deploys.map(({ environment }) => environment);
  expect(await environmentsOf("project=web")).toEqual(["staging", "production"]);
  expect(await environmentsOf("project=api")).toEqual(["api only", "staging", "production"]);
  expect(await list("project=nope")).toMatchObject({
    releases: [],
    hasAny: true,
    problems: ["There is no project “nope”."],
  });
});

test("the list says for which days of its projects releases were left out", async () => {
  await createProject(state, "api");
  const named = (at: number) =>
    Array.from({ length: MAX_RELEASES_BY_EVENTS_PER_DAY + 2 }, (_, index) =>
      occurrence(at + index, "a", { release: `${at} ${index}`, projectId, at: at + index }),
    );
  const daysLater = (days: number) => NOON + days * 24 * 60 * 60 * 1000;
  await apply(state, named(NOON));
  const leftOut = async (query: string, now: number) =>
    (
      await listReleasePage(testWorkspace({ state, events }), {
        filters: parseReleaseFilters(new URLSearchParams(query)),
        now,
      })
    ).leftOut;
  const last = `${NOON} ${MAX_RELEASES_BY_EVENTS_PER_DAY + 1}`;
  expect(await leftOut("", daysLater(13))).toMatchObject([{ projectName: "web", eventCount: 2, lastVersion: last }]);
  expect(await leftOut("project=web", NOON)).toHaveLength(1);
  expect(await leftOut("project=api", NOON)).toEqual([]);
  expect(await leftOut("", daysLater(15))).toEqual([]);
});

test("a comparison lists the commits between, each once, and only those of releases between", async () => {
  for (const version of ["web@1.0", "web@1.1", "web@1.2"]) {
    await state.releases.saveRelease(EVERYTHING, { version, projectIds: [projectId], at: NOON });
  }
  await state.releases.setCommits(EVERYTHING, "web@1.0", [commit("a")]);
  await state.releases.setCommits(EVERYTHING, "web@1.1", [commit("b")]);
  await state.releases.setCommits(EVERYTHING, "web@1.2", [commit("c"), commit("b")]);
  const compare = async (version: string, query = "") => {
    const page = await open(version, "compare", query);
    const comparison = page?.content.tab === "compare" ? page.content.comparison : null;
    return comparison && [comparison.base.version, ...comparison.commits.map(({ id }) => id)];
  };
  expect(await compare("web@1.2")).toEqual(["web@1.1", "c", "b"]);
  expect(await compare("web@1.2", "base=web@1.0")).toEqual(["web@1.0", "c", "b"]);
  expect(await compare("web@1.1", "base=web@1.2")).toEqual(["web@1.2", "b"]);
  expect(await compare("web@1.1", "base=nobody")).toEqual(["web@1.0", "b"]);
  expect(await compare("web@1.0")).toBeNull();
  expect(await open("web@1.0", "nothing")).toBeNull();
  expect(await open("nobody", "issues")).toBeNull();
});

test("a release says of each of its projects how far its source maps have come", async () => {
  const other = await createProject(state, "api");
  const [mapped, lost, late] = ["a", "b", "c"].map((digit) => digit.repeat(32)) as [string, string, string];
  const wantedBy = (debugId: string) => ({
    ...{
      type: "source_map" as const,
      debugId,
      release: "web@1",
      dist: null,
      sampleUrl: `https://web.example/${debugId}.js`,
      isForeign: false,
    },
  });
  await apply(state, [
    occurrence(0, "a", { release: "web@1", projectId, missingSourceMaps: [wantedBy(lost), wantedBy(late)] }),
    occurrence(1, "b", { release: "web@1", projectId, missingSourceMaps: [wantedBy(lost)] }),
  ]);
  await state.releases.saveRelease(EVERYTHING, { version: "web@1", projectIds: [other], at: NOON });
  const sums = async () =>
    Object.fromEntries(
      (await open("web@1", "files"))?.projects.map(({ slug, sourceMaps }) => [slug, sourceMaps]) ?? [],
    );
  expect(await sums()).toEqual({ api: null, web: { fileCount: 2, mappedCount: 0, wantedCount: 2 } });
  const file = (path: string, debugId: string, type: "minified_source" | "source_map") => ({
    ...{ path, debugId, type, url: `~/${path}`, bytes: 1 },
    sourceMapUrl: type === "source_map" ? null : `${path}.map`,
  });
  const bundle = { container: "zip", debugId: null, note: null, bytes: 1, uploadedAt: NOON, uploadedBy: null } as const;
  await state.artifacts.saveArtifactBundle(
    EVERYTHING,
    { ...bundle, checksum: "1", projectIds: [projectId], releases: [{ version: "web@1", dist: null }] },
    [
      file("mapped.js", mapped, "minified_source"),
      file("mapped.js.map", mapped, "source_map"),
      file("lost.js", lost, "minified_source"),
    ],
  );
  // A source map that was uploaded without a release. Nothing needs it to be uploaded any more, and it does not count as a file of
  // the release.
  await state.artifacts.saveArtifactBundle(
    EVERYTHING,
    { ...bundle, checksum: "2", projectIds: [projectId], releases: [] },
    [file("late.js.map", late, "source_map")],
  );
  expect(await sums()).toEqual({ api: null, web: { fileCount: 2, mappedCount: 1, wantedCount: 1 } });
  // An event that came after the upload and still needs the map: the map is of no use.
  await apply(state, [
    occurrence(2, "b", { release: "web@1", projectId, at: NOON + 1, missingSourceMaps: [wantedBy(late)] }),
  ]);
  expect(await sums()).toEqual({ api: null, web: { fileCount: 3, mappedCount: 1, wantedCount: 2 } });
});

test("the list and the page of a release hold its sessions against the goal of its projects", async () => {
  await state.releases.saveRelease(EVERYTHING, { version: "web@1", projectIds: [projectId], at: NOON - 9 });
  await state.health.setGoal(EVERYTHING, projectId, { target: 0.9, floor: 0.8 });
  const tally = (total: number, crashed: number) => ({ total, errored: crashed, crashed, abnormal: 0, unhandled: 0 });
  const group = (sessions: ReturnType<typeof tally>): SessionCounts => ({
    ...{ projectId, release: "web@1", environment: "production", at: null, sessions, users: tally(10, 1) },
  });
  // The last day has a quarter of all sessions.
  const withSessions = {
    countSessions: async ({ releases }: SessionFilter) => [group(releases ? tally(100, 15) : tally(400, 15))],
    listEnvironments: async () => ["production"],
  };
  const workspace = testWorkspace({ state, events: withSessions });
  const filters = parseReleaseFilters(new URLSearchParams());
  const { releases } = await listReleasePage(workspace, { filters, now: NOON });
  expect(releases[0]?.health).toMatchObject({ sessions: 100, adoption: 0.25, health: { state: "below-target" } });
  const page = await getReleasePage(workspace, {
    version: "web@1",
    tab: "health",
    url: new URL("http://x/?period=7d"),
  });
  expect(page?.content).toMatchObject({
    health: {
      period: "7d",
      goal: { target: 0.9, floor: 0.8 },
      health: { crashFree: 0.85, spent: 1.5 },
      crashFreeUsers: 0.9,
      adoption: { sessions: 0.25, users: 1 },
      parts: [{ project: { slug: "web" }, environment: "production" }],
    },
  });
});
