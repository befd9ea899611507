import { expect, test } from "vitest";
import { findViewProjects } from "./find-view-projects.ts";

test("projects beside the search and in it", () => {
  const find = (query: string) => findViewProjects(new URLSearchParams(query));
  expect(find("")).toEqual([]);
  expect(find("project=web&project=api&project=web")).toEqual(["web", "api"]);
  expect(find("project=web&q=(project:[api, billing] OR !project.name:mobile) checkout tags[project]:x")).toEqual([
    "web",
    "api",
    "billing",
    "mobile",
  ]);
  expect(find("q=project:we*")).toEqual([]);
});
