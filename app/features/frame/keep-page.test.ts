import { redirect } from "react-router";
import { expect, test } from "vitest";
import { keepPageOfRefusedForm, keepPageOfRefusedReading, onRefusedForm } from "./keep-page.ts";

const refusal = (status: number, data: unknown) => ({ status, statusText: "", internal: false, data });

test("a form that is refused tells why, and is no error of its page; other answers stay as they are", () => {
  const told: string[] = [];
  const end = onRefusedForm((message) => told.push(message));
  const carried = { message: "It needs event:write.", frame: {}, theme: "system" };
  const results = {
    words: { type: "error" as const, result: refusal(403, "Not yours.") },
    page: { type: "error" as const, result: refusal(403, carried) },
    full: { type: "error" as const, result: refusal(507, "The disk is full.") },
    late: { type: "error" as const, result: refusal(409, "It is still running.") },
    gone: { type: "error" as const, result: refusal(404, "It is gone.") },
    away: { type: "error" as const, result: redirect("/sign-in?to=%2Fissues%2F7") },
    list: { type: "error" as const, result: redirect("/sign-in") },
    left: { type: "error" as const, result: redirect("/sign-in?changed=left") },
    done: { type: "data" as const, result: { ok: true } },
  };
  const kept = keepPageOfRefusedForm(results);
  end();
  expect(told).toEqual([
    "Not yours.",
    "It needs event:write.",
    "The disk is full.",
    "It is still running.",
    "It is gone. Nothing was saved.",
    expect.stringMatching(/^You are signed out/),
    expect.stringMatching(/^You are signed out/),
  ]);
  const { left, done, ...refused } = kept;
  expect(Object.values(refused).map(({ type }) => type)).toEqual(Array(7).fill("data"));
  expect([left, done]).toEqual([results.left, results.done]);
});

test("a page that reads by itself shows what it has shown once its viewer is signed out; other answers stay as they are", () => {
  const signIn = { type: "error" as const, result: redirect("/sign-in?to=%2Fissues%2F7") };
  const shown = { frame: { name: "Ada" }, issue: { id: 7 } };
  expect(keepPageOfRefusedReading({ frame: signIn, issue: signIn, preview: signIn }, shown)).toEqual({
    frame: { type: "data", result: shown.frame },
    issue: { type: "data", result: shown.issue },
    preview: { type: "data", result: undefined },
  });
  const read = { type: "data" as const, result: { name: "Ada" } };
  expect(keepPageOfRefusedReading({ frame: read, issue: signIn }, shown)).toMatchObject({
    issue: { type: "data", result: shown.issue },
  });
  const results = {
    gone: { type: "error" as const, result: refusal(404, "It is gone.") },
    moved: { type: "error" as const, result: redirect("/issues/8") },
    read: { type: "data" as const, result: { id: 7 } },
  };
  expect(keepPageOfRefusedReading(results, shown)).toBe(results);
});
