import { expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { listSignalValues } from "./list-signal-values.server.ts";

test("the count of a key with values that are not counted is a lower bound", async () => {
  const events = {
    listAttributeKeys: async () => ["order.id", "plan"].map((key) => ({ key, count: 60 })),
    listCutKeys: async () => ["order.id"],
  };
  const workspace = testWorkspace({ state: {} as State, scope: EVERYTHING, events });
  const asked = { signal: "logs", key: null, text: "", slugs: [], now: 0 } as const;
  expect((await listSignalValues(workspace, asked)).values).toEqual([
    { value: "order.id", counted: { count: 60, of: "lines", isAtLeast: true } },
    { value: "plan", counted: { count: 60, of: "lines" } },
  ]);
});
