import { expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { createSqliteStateDatabase } from "../../stores/sqlite/sqlite-state-database.ts";
import { apply, createProject, occurrence } from "../../stores/state/contract/fixture.ts";
import { listWanted } from "./get-source-maps-page.server.ts";

test("of what is waited for, the first are listed and all are counted, also of one dist", async () => {
  await using database = await createSqliteStateDatabase();
  const state = await database.connect();
  const id = await createProject(state, "web");
  const wantedBy = (number: number, dist: string | null) => ({
    type: "source_map" as const,
    ...{ debugId: number.toString(16).padStart(32, "0"), release: "web@1", dist, isForeign: false },
    sampleUrl: `https://web.example/${number}.js`,
  });
  // The highest number of maps that one event may need.
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  await apply(state, [
    ...[0, 20, 40].map((first, index) =>
      occurrence(index, "a", { projectId: id, missingSourceMaps: numbers.map((each) => wantedBy(first + each, "1")) }),
    ),
    occurrence(3, "a", { projectId: id, missingSourceMaps: [wantedBy(100, "2")] }),
  ]);
  const workspace = testWorkspace({
    state,
    symbolicate: () => Promise.reject(new Error("nothing was uploaded that could be read")),
  });
  const list = (dist: string | null) => listWanted(workspace, { id }, { release: "web@1", dist });
  const all = await list(null);
  expect([all.items.length, all.count]).toEqual([50, 61]);
  expect(await list("2")).toMatchObject({ count: 1, items: [{ sampleUrl: "https://web.example/100.js" }] });
  expect(await list("3")).toEqual({ items: [], count: 0 });
});
