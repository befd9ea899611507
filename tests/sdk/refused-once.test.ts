import { join } from "node:path";
import { expect, test } from "vitest";
import { getJson, listIssues, type StatsGroup, sumOutcomes, waitFor } from "../support/api.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { run } from "./run-toolchain.ts";

/** What stands in the ledger of errors, as `outcome reason` → quantity. */
async function ledgerOfErrors(server: TestServer): Promise<Record<string, number>> {
  const query = new URLSearchParams({ field: "sum(quantity)", statsPeriod: "1d", interval: "1d", category: "error" });
  for (const group of ["outcome", "reason"]) query.append("groupBy", group);
  const { groups } = await getJson<{ groups: StatsGroup[] }>(server, `/organizations/default/stats_v2/?${query}`);
  return Object.fromEntries(groups.map(({ by, totals }) => [`${by.outcome} ${by.reason}`, totals["sum(quantity)"]]));
}

test("an event that is too large stands in the ledger once, though the Node SDK reports it as lost too", async () => {
  await using server = await startServer();
  await run(process.execPath, {
    args: [join(import.meta.dirname, "node-app", "too-large.mjs")],
    cwd: import.meta.dirname,
    env: { SENTRY_DSN: server.dsn ?? "" },
  });

  // Without the report there would be nothing to count twice.
  await waitFor(
    "the client report",
    async () => (await sumOutcomes(server, { outcome: "accepted", category: "internal" })) === 1,
  );
  expect(await ledgerOfErrors(server)).toEqual({ "accepted none": 1, "invalid event_bytes": 1 });
  expect((await listIssues(server)).map(({ title }) => title)).toEqual(["Error: of the usual size"]);
});
