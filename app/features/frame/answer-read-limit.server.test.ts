import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RouterContextProvider } from "react-router";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { workspaceContext } from "../../context.ts";
import { type ReadLimit, ReadLimitError } from "../../domain/read-limit.ts";
import { action as changeIssues, loader as listIssues } from "../../routes/issues/list.tsx";
import { loader as listNews } from "../../routes/issues/news.ts";
import { openSqliteState } from "../../stores/sqlite/open-sqlite-state.ts";
import type { State } from "../../stores/state/state.ts";
import { answerReadLimit } from "./answer-read-limit.server.ts";

let folder: string;
let state: State;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-limits-"));
  state = await openSqliteState({ path: join(folder, "state.db") });
  await state.people.setUp({
    organization: { slug: "default", name: "Acme" },
    owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
    project: { slug: "web", name: "Web shop", platform: "javascript" },
    at: Date.now(),
  });
});
afterAll(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

describe("a read that is given up", () => {
  const WORDS = { time: "took too long", memory: "needs more memory" } as const;

  for (const limit of ["time", "memory"] as const) {
    test(`is answered with 503 and a sentence where it needs too much ${limit}`, async () => {
      const calls: RouteCall[] = [listIssues, listNews, changeIssues];
      for (const call of calls)
        await expect(callRoute(call, limit)).rejects.toMatchObject({
          data: expect.stringContaining(WORDS[limit]),
          init: { status: 503 },
        });
    });
  }

  test("leaves other errors as they are", async () => {
    const fault = new Error("disk I/O error");
    await expect(answerReadLimit(Promise.reject(fault))).rejects.toBe(fault);
    await expect(answerReadLimit(Promise.resolve(1))).resolves.toBe(1);
  });
});

/** What the routes of this test look at: they have no parameters. */
type RouteCall = (asked: {
  context: Readonly<RouterContextProvider>;
  request: Request;
  url: URL;
  params: Record<string, never>;
  pattern: never;
}) => Promise<unknown>;

/** As of a page of the search for a value of any tag, whose read reaches the limit. */
function callRoute(call: RouteCall, limit: ReadLimit): Promise<unknown> {
  const events = {
    listEnvironments: async () => [],
    findIssues: () => Promise.reject(new ReadLimitError(limit)),
  };
  const context = new RouterContextProvider();
  context.set(workspaceContext, testWorkspace({ state, events }));
  const url = new URL("http://127.0.0.1/issues?q=*:eu-west");
  const body = new URLSearchParams({ intent: "resolve", scope: "all-matching" });
  const request = new Request(url, { method: "POST", body });
  return call({ context, url, request, params: {}, pattern: undefined as never });
}
