import { expect, test } from "vitest";
import { asFields, groupRows } from "./columns.ts";

test("columns are read as fields, under quoted names", () => {
  expect(asFields("id, p.project_id,\n  p.last_5_at")).toBe(
    'id AS "id", p.project_id AS "projectId", p.last_5_at AS "last5At"',
  );
});

test("rows are grouped in their order", () => {
  const rows = [
    { id: 1, name: "a" },
    { id: 2, name: "b" },
    { id: 1, name: "c" },
  ];
  const groups = groupRows(rows, ({ id, name }) => [id, name]);
  expect([...groups]).toEqual([
    [1, ["a", "c"]],
    [2, ["b"]],
  ]);
});
