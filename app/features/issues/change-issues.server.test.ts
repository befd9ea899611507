import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { apply, EVERYTHING, NOON, occurrence, scopeOf } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { changeIssues, restoreIssues } from "./change-issues.server.ts";

let folder: string;
let state: State;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-issues-"));
  state = await openTestState({ path: join(folder, "state.db"), now: () => NOON });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const makeIssues = async (projectId: number, count: number) => {
  const made = Array.from({ length: count }, (_, index) =>
    // Several events have the same time, as in a burst.
    occurrence(projectId * 10_000 + index, `${projectId}-${index}`, { projectId, at: NOON - Math.floor(index / 7) }),
  );
  return (await apply(state, made)).map(({ issueId }) => issueId);
};
const unresolved = (projectId: number) => ({
  scope: scopeOf(projectId),
  query: { statuses: ["unresolved" as const], from: null, to: null },
});
const statusOf = async (issueId = 0) => (await state.issues.getIssue(EVERYTHING, issueId))?.status;

describe("a change of many issues", () => {
  test("reaches all that the filter finds, more than a list counts, and can be put back", async () => {
    await makeIssues(1, 1_130);
    const [other] = await makeIssues(2, 1);
    const workspace = testWorkspace({ state });
    const { matchingCount, previous } = await changeIssues(workspace, {
      issues: unresolved(1),
      status: "resolved",
      now: NOON,
    });
    expect(matchingCount).toBe(1_130);
    expect(new Set(previous.map(({ issueId }) => issueId)).size).toBe(1_130);
    expect(await statusOf(other)).toBe("unresolved");
    const again = await changeIssues(workspace, { issues: unresolved(1), status: "archived", now: NOON });
    expect(again).toEqual({ matchingCount: 0, previous: [] });

    await restoreIssues(workspace, { previous, now: NOON });
    const back = await changeIssues(workspace, { issues: unresolved(1), status: "archived", now: NOON });
    expect(back.matchingCount).toBe(1_130);
  });

  test("counts the issues that are meant, and gives those that were something else", async () => {
    const issues = await makeIssues(1, 2);
    const workspace = testWorkspace({ state });
    await changeIssues(workspace, { issues: issues.slice(1), status: "resolved", now: NOON });
    const { matchingCount, previous } = await changeIssues(workspace, { issues, status: "resolved", now: NOON });
    expect(matchingCount).toBe(2);
    expect(previous).toEqual([
      { issueId: issues[0], status: "unresolved", substatus: "new", resolution: null, archive: null },
    ]);
  });

  test("leaves alone what the workspace does not reach, and so does its undo", async () => {
    const [mine] = await makeIssues(1, 1);
    const [theirs = 0] = await makeIssues(2, 1);
    const workspace = testWorkspace({ state, scope: scopeOf(1) });
    const { previous } = await changeIssues(workspace, {
      issues: [mine ?? 0, theirs],
      status: "archived",
      now: NOON,
    });
    expect(previous.map(({ issueId }) => issueId)).toEqual([mine]);
    const forged = {
      issueId: theirs,
      status: "resolved",
      substatus: "ongoing",
      resolution: null,
      archive: null,
    } as const;
    await restoreIssues(workspace, { previous: [...previous, forged], now: NOON });
    expect([await statusOf(mine), await statusOf(theirs)]).toEqual(["unresolved", "unresolved"]);
  });
});
