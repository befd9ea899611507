import { data, redirect } from "react-router";
import { expect, test } from "vitest";
import { keepPageOfRefusedForm, keepPageOfRefusedReading, onKeptPage } from "./keep-page.ts";

const AWAY = new TypeError("Failed to fetch");
const BROKEN = new Error("Unexpected Server Error");

/** Returns what is told while `act` runs. */
function listen(act: () => void): string[] {
  const told: string[] = [];
  const end = onKeptPage((message) => told.push(message));
  act();
  end();
  return told;
}

const refusal = (status: number, data: unknown) => ({ status, statusText: "", internal: false, data });

test("a form that is refused tells why, and is no error of its page; other answers stay as they are", () => {
  const told: string[] = [];
  const end = onKeptPage((message) => told.push(message));
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

test("a form that the server did not answer, or at which it broke, leaves the page with what was typed", () => {
  const toAnswer = (fault: unknown) => ({ action: { type: "error" as const, result: fault } });
  const told = listen(() => {
    // As the router passes on what an action has thrown.
    for (const fault of [data(AWAY), data(BROKEN, 500)])
      expect(keepPageOfRefusedForm(toAnswer(fault))).toMatchObject({ action: { type: "data" } });
    const proxied = keepPageOfRefusedForm(toAnswer(refusal(413, "<html>Request Entity Too Large</html>")));
    expect(proxied).toMatchObject({ action: { type: "data" } });
    // The browser's own faults are shown and reported.
    const own = toAnswer(data(new RangeError("Invalid time value")));
    expect(keepPageOfRefusedForm(own)).toEqual(own);
  });
  expect(told).toEqual([
    "The server does not answer. Check whether this was saved, then send it again.",
    "Culprit broke. Check whether this was saved, then send it again.",
    "This was refused.",
  ]);
});

test("a form of a page that can tell nothing shows the error", () => {
  const results = { action: { type: "error" as const, result: data(AWAY) } };
  expect(keepPageOfRefusedForm(results)).toBe(results);
});

test("a page that reads by itself stays while the server fails, and says so once until it can be read", () => {
  const shown = { issue: { id: 7 } };
  const failed = (result: unknown) => ({ issue: { type: "error" as const, result } });
  const told = listen(() => {
    for (const fault of [AWAY, BROKEN, refusal(503, "Too many searches wait for their turn.")])
      expect(keepPageOfRefusedReading(failed(fault), shown)).toEqual({
        issue: { type: "data", result: shown.issue },
      });
  });
  expect(told).toEqual(["This page may be out of date."]);
  keepPageOfRefusedReading({ issue: { type: "data", result: shown.issue } }, shown);
  expect(listen(() => keepPageOfRefusedReading(failed(AWAY), shown))).toHaveLength(1);
});
