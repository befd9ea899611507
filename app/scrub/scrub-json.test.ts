import { expect, test } from "vitest";
import { scrubJson } from "./scrub-json.ts";

test("payloads without secrets stay as they are", () => {
  const session = {
    sid: "9ec79c33ec9942ab8353589fcb2e04dc",
    did: "4111",
    status: "ok",
    attrs: { release: "a@1", user_agent: "x" },
  };
  const before = structuredClone(session);
  expect(scrubJson(session)).toEqual({ value: before, changed: false });
  expect(scrubJson({ trace_id: "4".repeat(32), span_id: "4111111111111111" }).changed).toBe(false);
  expect(scrubJson({ attributes: { "gen_ai.usage.input_tokens": { type: "integer", value: 512 } } }).changed).toBe(
    false,
  );
  for (const value of [null, 5, true, "text", []]) expect(scrubJson(value)).toEqual({ value, changed: false });
});

test("typed attributes keep their form", () => {
  expect(
    scrubJson({
      items: [
        {
          body: "login with password=x",
          attributes: {
            "http.request.header.authorization": { type: "string", value: "Bearer x" },
            password: { type: "integer", value: 1234 },
            "url.full": { type: "string", value: "https://a.test/?token=x" },
          },
        },
      ],
    }),
  ).toEqual({
    changed: true,
    value: {
      items: [
        {
          body: "login with password=[Filtered]",
          attributes: {
            "http.request.header.authorization": { type: "string", value: "[Filtered]" },
            password: { type: "string", value: "[Filtered]" },
            "url.full": { type: "string", value: "https://a.test/?token=[Filtered]" },
          },
        },
      ],
    },
  });
});

test("a text for a payload is scrubbed too", () => {
  expect(scrubJson("token=abc")).toEqual({ value: "token=[Filtered]", changed: true });
});
