import { expect, test } from "vitest";
import { isConventionalName } from "./conventions.ts";

const KNOWN = ["http.request.method", "gen_ai.tool.name", "gen_ai.usage.input_tokens", "os.name", "plan"];

test.each(["gen_ai.conversation.id", "gen_ai.agent.name", "gen_ai.usage.output_tokens", "db.name", "code.function"])(
  "%s is a name of a convention, whatever it is like",
  (key) => {
    expect(isConventionalName(key, KNOWN)).toBe(true);
  },
);

test.each(["http.requst.method", "http.request", "gen_ai.tool.nam", "plna", "customer.tier"])("%s is none", (key) => {
  expect(isConventionalName(key, KNOWN)).toBe(false);
});
