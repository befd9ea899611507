import { expect, test } from "vitest";
import type { Workspace } from "../../access/workspace.ts";
import { makeScope } from "../../domain/scope.ts";
import { changeFeedbackByForm, parsePreviousFeedback, serializePreviousFeedback } from "./change-feedback.server.ts";

const scope = makeScope({ organizationId: 1, projectIds: [1], rights: [] });

function open() {
  const asked: unknown[] = [];
  const feedback = {
    changeFeedback: async (_: unknown, change: unknown) => {
      asked.push(change);
      return { previous: [{ id: 3, status: "unresolved", isRead: false, assignee: null }], refusedIds: [] };
    },
    restoreFeedback: async (_: unknown, previous: unknown) => void asked.push(previous),
  };
  const workspace = { scope, user: { id: 7 }, state: { feedback } } as unknown as Workspace;
  return { asked, workspace };
}

const form = (fields: object) => {
  const data = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) data.append(name, String(value));
  return data;
};

test("a form changes what it names, and its undo takes that back", async () => {
  const { asked, workspace } = open();
  const answer = await changeFeedbackByForm(workspace, form({ intent: "spam", feedback: ["3", "4"] }), 99);
  expect(answer).toEqual({ ok: true, message: "1 message moved to Spam", undo: "3:unresolved:0" });
  expect(asked).toEqual([{ ids: [3, 4], status: "spam", userId: 7, at: 99 }]);
  const undo = await changeFeedbackByForm(workspace, form({ intent: "undo", previous: "3:unresolved:0" }), 100);
  expect(undo).toMatchObject({ ok: true, undo: null });
  expect(asked[1]).toEqual([{ id: 3, status: "unresolved", isRead: false, assignee: null }]);
});

test("a form that says nothing of use is refused", async () => {
  const { asked, workspace } = open();
  for (const fields of [
    { intent: "explode", feedback: "1" },
    { intent: "resolve" },
    { intent: "resolve", feedback: "x" },
    { intent: "resolve", feedback: Array.from({ length: 201 }, (_, id) => String(id + 1)) },
    { intent: "undo", previous: "3:gone:0" },
  ])
    expect(await changeFeedbackByForm(workspace, form(fields), 1)).toMatchObject({ ok: false, status: 400 });
  expect(asked).toEqual([]);
});

test("what was before survives a hidden field", () => {
  const previous = [
    { id: 1, status: "spam" as const, isRead: true, assignee: { kind: "team" as const, id: 4 } },
    { id: 2, status: "resolved" as const, isRead: false, assignee: null },
  ];
  expect(parsePreviousFeedback(serializePreviousFeedback(previous))).toEqual(previous);
  for (const text of ["", "1", "0:spam:1", "1:spam:2", "1:constructor:1", "1:spam:1:user:x"])
    expect(parsePreviousFeedback(text)).toBeNull();
});
