import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { apply, EVERYTHING, NOON, occurrence } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { changeStatus } from "./change-status.server.ts";

let folder: string;
let state: State;
let issueId: number;
let otherId: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-issues-"));
  state = await openTestState({ path: join(folder, "state.db"), now: () => NOON });
  const made = await apply(state, [occurrence(0, "a", { release: "web@1.0.0" }), occurrence(1, "b")]);
  [issueId = 0, otherId = 0] = made.map((each) => each.issueId);
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const getIssue = async (id = issueId) => {
  const issue = await state.issues.getIssue(EVERYTHING, id);
  if (issue === null) throw new Error(`there is no issue ${id}`);
  return issue;
};
const submit = async (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return changeStatus(testWorkspace({ state }), { issue: await getIssue(), form, now: NOON });
};

describe("changing one issue", () => {
  test("says what was done, and an undo puts back what it waited for", async () => {
    expect(await submit({ status: "resolved", in: "next-release" })).toMatchObject({ ok: true, status: "resolved" });
    const { resolution } = await getIssue();
    const answer = await submit({ status: "archived" });
    const undo = (answer.ok && answer.undo) || "";
    expect(await submit({ undo })).toEqual({ ok: true, message: expect.any(String), status: "resolved", undo: null });
    expect(await getIssue()).toMatchObject({ status: "resolved", resolution });
    expect(resolution).not.toBeNull();
  });

  test("an undo changes the issue of the page, whichever it names", async () => {
    expect(await submit({ undo: `${otherId}:archived:ongoing` })).toMatchObject({ ok: true, status: "archived" });
    expect([(await getIssue()).status, (await getIssue(otherId)).status]).toEqual(["archived", "unresolved"]);
  });

  test.each<Record<string, string>>([
    { undo: "" },
    { undo: "yes", status: "archived", substatus: "odd" },
    { undo: "1:deleted:new" },
    { undo: "1:archived:odd" },
    { undo: "1:resolved:ongoing:r/.." },
    { undo: "1:archived:ongoing,1:resolved:ongoing" },
    { status: "deleted" },
    { status: "resolved", in: "commit", commit: "a b" },
  ])("refuses %j with a sentence, and changes nothing", async (fields) => {
    const before = await getIssue();
    expect(await submit(fields)).toEqual({ ok: false, message: expect.any(String) });
    expect(await getIssue()).toEqual(before);
  });
});
