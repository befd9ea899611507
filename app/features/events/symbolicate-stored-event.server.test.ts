import { expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { StoredEvent } from "../../domain/stored-event.ts";
import type { ScopedState } from "../../stores/state/state.ts";
import { reportFailure } from "../../symbolicate/start-report.ts";
import { symbolicateStoredEvent } from "./symbolicate-stored-event.server.ts";

const frames = [{ abs_path: "/app/server.js", lineno: 1, colno: 1 }];
const stored = {
  event: { platform: "node", release: "shop@1", exception: { values: [{ type: "Error", stacktrace: { frames } }] } },
  grouping: null,
} as unknown as StoredEvent;

/** The failure that the page shows after a look-up that took too long. */
async function failureOf({ uploads = 0, fetchesSourceMaps = false }): Promise<unknown> {
  const state = {
    artifacts: { listArtifactBundles: async () => ({ bundles: Array.from({ length: uploads }), nextCursor: null }) },
    projects: { getProject: async () => ({ fetchesSourceMaps }) },
  } as unknown as ScopedState;
  const workspace = testWorkspace({
    state,
    symbolicate: async (given) => ({
      stored: given,
      isChanged: false,
      report: reportFailure(given.event, "timed_out"),
      wanted: [],
    }),
  });
  return (await symbolicateStoredEvent(workspace, 1, stored)).report?.failure;
}

test("a look-up that took too long is told where there is something to find", async () => {
  expect(await failureOf({ uploads: 1 })).toBe("timed_out");
  expect(await failureOf({ fetchesSourceMaps: true })).toBe("timed_out");
  expect(await failureOf({})).toBeNull();
});
