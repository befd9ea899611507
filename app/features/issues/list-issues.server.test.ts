import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { EventFilter } from "../../stores/events/error-events.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { apply, EVERYTHING, NOON, occurrence } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { parseIssueFilters } from "./issue-filters.ts";
import { listIssues } from "./list-issues.server.ts";

let folder: string;
let state: State;
const events = { listEnvironments: async () => ["production"] };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-issues-"));
  state = await openTestState({ path: join(folder, "state.db"), now: () => NOON });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const filtersOf = (search: string) => parseIssueFilters(new URLSearchParams(search));
const list = (search = "") => listIssues(testWorkspace({ state, events }), { filters: filtersOf(search), now: NOON });

async function setUp(project: { slug: string; name: string; platform: string } | null): Promise<void> {
  const done = await state.people.setUp({
    organization: { slug: "default", name: "Acme" },
    owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
    project,
    at: NOON,
  });
  if (!done.ok) throw new Error(done.reason);
}

const WEB = { slug: "web", name: "Web shop", platform: "javascript" };

async function webId(): Promise<number> {
  return (await state.projects.getProjectBySlug(EVERYTHING, "web"))?.id ?? 0;
}

describe("the issue list", () => {
  test("says that there is no project, when there is only the built-in one", async () => {
    await setUp(null);
    expect(await list()).toMatchObject({ emptiness: "no-project", issues: [], waitingProject: null });
  });

  test("says which project waits for its first event", async () => {
    await setUp(WEB);
    expect(await list()).toMatchObject({ emptiness: "no-event", waitingProject: { slug: "web", name: "Web shop" } });
  });

  test("says that nothing matches, once something has arrived", async () => {
    await setUp(WEB);
    await apply(state, [occurrence(1, "a", { projectId: await webId(), at: NOON - HOUR_MS })]);
    expect(await list("q=is:resolved")).toMatchObject({ emptiness: "no-match", issues: [] });
  });

  test("gives each issue its trend and the mark of its project", async () => {
    await setUp(WEB);
    const projectId = await webId();
    await apply(state, [
      occurrence(1, "a", { projectId, at: NOON - 3 * HOUR_MS }),
      occurrence(2, "a", { projectId, at: NOON - HOUR_MS }),
    ]);
    const { issues, emptiness } = await list("trend=24h");
    expect(emptiness).toBeNull();
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ project: { slug: "web", family: "javascript" }, matchingEventCount: 2 });
    expect(issues[0]?.trend).toHaveLength(24);
    expect(issues[0]?.trend.reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  test("shows nothing for a project that is not there, and says so", async () => {
    await setUp(WEB);
    await apply(state, [occurrence(1, "a", { projectId: await webId() })]);
    expect(await list("project=nope")).toMatchObject({ issues: [], problems: ["There is no project “nope”."] });
  });

  test("explains a word that it does not know, and lists nothing", async () => {
    await setUp(WEB);
    await apply(state, [occurrence(1, "a", { projectId: await webId() })]);
    const { issues, refusals, emptiness } = await list("q=is:unresolved+is:odd");
    expect(issues).toEqual([]);
    expect(refusals).toEqual([{ from: 17, to: 20, message: expect.stringContaining("“is:odd” is not known") }]);
    expect(emptiness).toBe("refused");
  });

  test("lists the issues that events with a tag belong to, and refuses a tag that no event has", async () => {
    await setUp(WEB);
    await apply(state, [
      occurrence(1, "a", { projectId: await webId() }),
      occurrence(2, "b", { projectId: await webId() }),
    ]);
    const [first] = (await list()).issues;
    const asked: EventFilter[] = [];
    const found = async (search: string, issueIds: number[], tags: string[], isComplete = true) =>
      listIssues(
        testWorkspace({
          state,
          events: {
            ...events,
            findIssues: async (filter) => {
              asked.push(filter);
              return { issueIds, isComplete, storedUpTo: 9 };
            },
            hasTag: async (_, key) => tags.includes(key),
            tagDistributions: async () => ({ countedEvents: 0, isSampled: false, tags: [] }),
          },
        }),
        { filters: filtersOf(search), now: NOON },
      );
    const one = await found("q=plan:pro&environment=production", [first?.id ?? 0], ["plan"]);
    expect(one.issues.map(({ id }) => id)).toEqual([first?.id]);
    expect(asked[0]).toMatchObject({
      where: { kind: "test", field: "plan", isTag: true, test: { kind: "in", values: ["pro"] }, isNegated: false },
      environments: ["production"],
      from: NOON - 14 * 24 * HOUR_MS,
    });
    expect(await found("q=plan:pro", [], ["plan"])).toMatchObject({ issues: [], refusals: [], emptiness: "no-match" });
    expect(await found("q=release.stage:x+url:y", [], [])).toMatchObject({
      refusals: [{ from: 0, to: 13, message: expect.stringContaining("“release.stage:” is not known") }],
      emptiness: "refused",
    });
    const { problems } = await found("q=plan:pro", [first?.id ?? 0], ["plan"], false);
    expect(problems[0]).toContain("newest 1,000,000 events");
  });
});

describe("projects and environments", () => {
  beforeEach(async () => {
    await setUp(WEB);
    const made = await state.projects.createProject({ slug: "api", name: "API", platform: "node", at: NOON });
    const apiId = made.ok ? made.project.id : 0;
    await apply(state, [
      occurrence(1, "a", { projectId: await webId(), environment: "production" }),
      occurrence(2, "b", { projectId: await webId(), environment: "staging" }),
      occurrence(3, "c", { projectId: apiId, environment: "production" }),
    ]);
  });
  const slugs = async (search: string) => (await list(search)).issues.map(({ project }) => project.slug).sort();

  test("several projects are any of them; what is typed narrows what is chosen beside", async () => {
    expect(await slugs("project=web&project=api")).toEqual(["api", "web", "web"]);
    expect(await slugs("q=project:api")).toEqual(["api"]);
    expect(await slugs("q=!project:api")).toEqual(["web", "web"]);
    expect(await slugs("project=web&q=project:api")).toEqual([]);
    expect(await slugs("project=web&project=api&q=environment:production")).toEqual(["api", "web"]);
  });

  test("what is typed takes nothing away from what can be chosen", async () => {
    expect((await list("project=web&q=project:api")).environments).toEqual(["production"]);
  });

  test("names that do not exist, and choices that contradict each other, are said", async () => {
    expect((await list("q=project:nope")).refusals).toEqual([
      { from: 8, to: 12, message: "There is no project “nope”." },
    ]);
    expect((await list("q=project:wb")).refusals[0]?.message).toContain("Did you mean project:web?");
    expect((await list("q=environment:moon")).problems[0]).toContain("“moon”");
    const contradiction = await list("environment=production&q=environment:staging");
    expect(contradiction.issues).toEqual([]);
    expect(contradiction.refusals[0]?.message).toContain("No environment is both");
    expect((await list("project=web&q=project:api")).refusals[0]).toMatchObject({ from: 0, to: 11 });
  });
});

describe("what is new in the list", () => {
  test("is counted over all pages of every order, within the filters", async () => {
    await setUp(WEB);
    const projectId = await webId();
    const old = Array.from({ length: 40 }, (_, index) =>
      occurrence(index + 1, `h${index}`, { projectId, at: NOON - 5 * HOUR_MS }),
    );
    await apply(state, [
      ...old,
      occurrence(41, "young", { projectId, at: NOON }),
      occurrence(42, "quiet", { projectId, at: NOON, level: "info" }),
    ]);
    const read = (search: string, newSince: number | null) =>
      listIssues(testWorkspace({ state, events }), { filters: filtersOf(search), now: NOON, newSince });
    const { nextCursor } = await list("sort=events");
    const { newest } = await read(`sort=events&cursor=${nextCursor}&q=level:error`, NOON - HOUR_MS);
    expect(newest).toEqual([{ id: expect.any(Number), firstSeenAt: NOON }]);
    const byAge = await list("sort=first_seen");
    expect((await read(`sort=first_seen&cursor=${byAge.nextCursor}`, NOON - HOUR_MS)).newest).toHaveLength(2);
    expect((await read("", NOON - HOUR_MS)).newest).toHaveLength(2);
    expect((await read("", NOON + HOUR_MS)).newest).toEqual([]);
    expect((await read("", null)).newest).toBeNull();
  });
});
