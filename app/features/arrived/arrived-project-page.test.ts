import { expect, test } from "vitest";
import { ARRIVED_PROJECTS_PER_PAGE, toArrivedProjectPage } from "./arrived-project-page.ts";

const NAMES: Record<number, string> = { 1: "Web", 2: "api", 3: "Mail", 4: "Batch" };
const PROJECTS = [
  { projectId: 1, stored: 90, notStored: 10 },
  { projectId: 2, stored: 50, notStored: 50 },
  { projectId: 3, stored: 1, notStored: 3 },
  { projectId: 4, stored: 50, notStored: 0 },
];
const namesBy = (sort: string | null) =>
  toArrivedProjectPage(PROJECTS, (id) => NAMES[id] ?? "", { page: null, sort }).projects.map(
    ({ projectId }) => NAMES[projectId],
  );

test("projects are in the order that the address names, equal ones by name", () => {
  expect(namesBy(null)).toEqual(["api", "Web", "Batch", "Mail"]);
  expect(namesBy("unknown")).toEqual(namesBy("items"));
  expect(namesBy("name")).toEqual(["api", "Batch", "Mail", "Web"]);
  expect(namesBy("stored")).toEqual(["Web", "api", "Batch", "Mail"]);
  expect(namesBy("not-stored")).toEqual(["api", "Web", "Mail", "Batch"]);
  expect(namesBy("share")).toEqual(["Mail", "api", "Web", "Batch"]);
});

test("a page is one that there is", () => {
  const many = Array.from({ length: ARRIVED_PROJECTS_PER_PAGE + 1 }, (_, index) => ({
    projectId: index,
    stored: 100 - index,
    notStored: 0,
  }));
  const open = (page: string) => toArrivedProjectPage(many, String, { page, sort: null });
  expect(open("2")).toMatchObject({ page: 2, pageCount: 2, from: 26, count: 26, projects: [{ projectId: 25 }] });
  expect(open("9").page).toBe(2);
  expect(open("-1").page).toBe(1);
  expect(open("x").projects).toHaveLength(ARRIVED_PROJECTS_PER_PAGE);
});
