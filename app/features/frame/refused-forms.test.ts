import { expect, test } from "vitest";
import { keepPageOfRefusedForm, onRefusedForm } from "./refused-forms.ts";

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
    done: { type: "data" as const, result: { ok: true } },
  };
  const kept = keepPageOfRefusedForm(results);
  end();
  expect(told).toEqual(["Not yours.", "It needs event:write.", "The disk is full.", "It is still running."]);
  expect([kept.words?.type, kept.page?.type]).toEqual(["data", "data"]);
  expect([kept.gone, kept.done]).toEqual([results.gone, results.done]);
});
