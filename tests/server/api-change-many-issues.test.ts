import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dataPaths } from "../../app/data-folder/data-paths.ts";
import { openSqliteState } from "../../app/stores/sqlite/open-sqlite-state.ts";
import { occurrence, scopeOf } from "../../app/stores/state/contract/fixture.ts";
import type { State } from "../../app/stores/state/state.ts";
import { getJson, send } from "../support/api.ts";
import { type MadeProject, makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

/** More than a list counts, in more batches than one. */
const ISSUES = 1_250;
/** Of them, those of level warning. */
const WARNINGS = 1_100;

let server: TestServer;
let project: MadeProject;
/** The same data that the server has. */
let state: State;

interface Changed {
  status: string;
  matchingCount: number;
  changedCount: number;
}

beforeAll(async () => {
  server = await startServer();
  project = await makeProject(server, "many");
  const other = await makeProject(server, "few");
  state = await openSqliteState({ path: dataPaths(server.dataDir).state });
  const projectId = Number(project.id);
  const at = Date.now() - 60_000;
  await state.batches.applyBatch({
    journalId: "made-by-the-test",
    upTo: 10_000,
    occurrences: [
      ...Array.from({ length: ISSUES }, (_, index) =>
        occurrence(index, `many-${index}`, {
          projectId,
          // Several at the same instant, as a burst makes them.
          at: at + Math.floor(index / 7),
          level: index < WARNINGS ? "warning" : "error",
          release: index % 2 === 0 ? "even" : "odd",
        }),
      ),
      occurrence(ISSUES, "few", { projectId: Number(other.id), at }),
    ],
    outcomes: [],
  });
});
afterAll(async () => {
  await state?.close();
  await server?.[Symbol.asyncDispose]();
});

const change = async (path: string, status: string): Promise<Changed> => {
  const response = await send(server, "PUT", path, { status });
  expect(response.status).toBe(200);
  return (await response.json()) as Changed;
};
const count = async (query: string) => {
  const { matchingCount } = await state.issues.listIssues(scopeOf(Number(project.id)), {
    statuses: [query as "resolved"],
    from: null,
    to: null,
    sort: "last_seen",
    cursor: null,
    limit: 1,
  });
  return matchingCount;
};

describe("changing issues that are named by no id", () => {
  test("changes all that match a query, however many, and says how many", async () => {
    const path = `/organizations/default/issues/?project=${project.slug}&query=${encodeURIComponent("level:warning")}`;
    expect(await change(path, "resolved")).toEqual({
      status: "resolved",
      statusDetails: {},
      matchingCount: WARNINGS,
      changedCount: WARNINGS,
    });
    expect(await count("unresolved")).toBe(ISSUES - WARNINGS);
    expect(await change(path, "resolved")).toMatchObject({ matchingCount: WARNINGS, changedCount: 0 });
  });

  test("changes all of a project without a query, and no other's", async () => {
    const path = `/projects/default/${project.slug}/issues/`;
    expect(await change(`${path}?status=resolved`, "ignored")).toMatchObject({ changedCount: WARNINGS });
    expect(await count("archived")).toBe(1000);
    expect(await change(path, "unresolved")).toMatchObject({ matchingCount: ISSUES, changedCount: WARNINGS });
    expect(await count("resolved")).toBe(0);
    const few = await getJson<object[]>(server, "/projects/default/few/issues/?query=");
    expect(few).toMatchObject([{ status: "unresolved" }]);
  });

  test("takes what the list takes: a query leaves out what it does not name", async () => {
    const path = `/projects/default/${project.slug}/issues/`;
    expect(await change(`${path}?query=release:even`, "resolved")).toMatchObject({ changedCount: ISSUES / 2 });
    expect(await change(`${path}?query=is:resolved&status=resolved`, "unresolved")).toMatchObject({
      changedCount: ISSUES / 2,
    });
    expect(await change(`${path}?query=&environment=nowhere`, "resolved")).toMatchObject({ matchingCount: 0 });
    expect(await change(`${path}?query=&statsPeriod=1s`, "resolved")).toMatchObject({ matchingCount: 0 });
  });

  test("refuses what may be an accident, or says two things", async () => {
    const put = (path: string) => send(server, "PUT", path, { status: "resolved" });
    const refused = async (path: string) => {
      const response = await put(path);
      expect(response.status).toBe(400);
      return ((await response.json()) as { detail: string }).detail;
    };
    expect(await refused("/organizations/default/issues/")).toBe("id or query is required");
    expect(await refused("/organizations/default/issues/?query=is:wrong")).toContain("is:wrong");
    expect(await refused("/organizations/default/issues/?query=&project=nobody").catch(() => "404")).toBe("404");
    expect(await refused(`/projects/default/${project.slug}/issues/?status=odd`)).toContain("odd");
    expect(await refused(`/projects/default/${project.slug}/issues/?status=ignored&query=is:resolved`)).toContain(
      "leaves no issue",
    );
    expect(await count("resolved")).toBe(0);
  });
});
