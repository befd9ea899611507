import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { findCommit } from "../../scripts/build-commit.mjs";
import { signIn } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const { version } = packageJson;
/** Left by the last build: of a checkout with changes, it may name a commit more than is there now. */
const COMMIT = /^([0-9a-f]{12}(-dirty)?|unknown)$/;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.[Symbol.asyncDispose]());

test("the server tells version and commit by /healthz, in its log, in its metrics and in the settings", async () => {
  const health: Record<string, string> = await (await fetch(`${server.url}/healthz`)).json();
  expect(health).toEqual({ status: "ok", version, delivery: "ok", commit: expect.stringMatching(COMMIT) });
  if (findCommit(".") !== "unknown") expect(health.commit).not.toBe("unknown");
  expect(server.logLines().find(({ msg }) => msg === "accepting events")).toMatchObject({
    version,
    commit: health.commit,
  });
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain(`culprit_build_info{version="${version}",commit="${health.commit}"} 1`);
  const settings = (await (await signIn(server)).open("/settings")).html;
  expect(settings).toContain(version);
  expect(settings).toContain(health.commit);
});
