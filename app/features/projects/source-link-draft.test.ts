import { expect, test } from "vitest";
import { MAX_CODE_MAPPINGS } from "../../domain/code-mapping.ts";
import { changeRows, type RowChange, readRowIntent, toDraft, toRowIntent } from "./source-link-draft.ts";

const row = (stackRoot: string) => ({ stackRoot, sourceRoot: "" });
const draft = { ...toDraft(null), codeMappings: [row("a"), row("b"), row("c")] };
const rootsAfter = (change: RowChange) => changeRows(draft, change).codeMappings.map(({ stackRoot }) => stackRoot);

test.each([
  [{ kind: "add" }, ["a", "b", "c", ""]],
  [{ kind: "remove", index: 1 }, ["a", "c"]],
  [{ kind: "remove", index: 7 }, ["a", "b", "c"]],
  [{ kind: "up", index: 2 }, ["a", "c", "b"]],
  [{ kind: "up", index: 0 }, ["a", "b", "c"]],
  [{ kind: "down", index: 0 }, ["b", "a", "c"]],
  [{ kind: "down", index: 2 }, ["a", "b", "c"]],
] as const)("%j leaves %j", (change, roots) => {
  expect(rootsAfter(change)).toEqual(roots);
  expect(readRowIntent(toRowIntent(change))).toEqual(change);
});

test("no more rows than a project may have", () => {
  const full = { ...draft, codeMappings: Array.from({ length: MAX_CODE_MAPPINGS }, (_, index) => row(`/${index}`)) };
  expect(changeRows(full, { kind: "add" }).codeMappings).toHaveLength(MAX_CODE_MAPPINGS);
});

test.each(["source-links", "remove-mapping", "up-mapping:-1", "down-mapping:1e3"])("%s changes no row", (intent) => {
  expect(readRowIntent(intent)).toBeNull();
});
