import * as Sentry from "@sentry/node";
import { expect, test } from "vitest";
import { getJson, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

interface Found {
  slug: string;
  config: { schedule: unknown; timezone: string | null } | null;
  environments: Array<{ lastCheckInStatus: string; status: string; nextCheckIn: string | null }>;
}

test("check-ins come by URL and by the SDK, and a failure opens an issue that ends when the job runs again", async () => {
  await using server = await startServer();
  const dsn = server.dsn ?? "";
  const { username: key } = new URL(dsn);
  const ping = async (rest: string, init: RequestInit = {}) =>
    (await fetch(`${server.url}/api/1/cron/backup/${key}${rest}`, init)).status;
  const issues = () =>
    getJson<Array<{ title: string; status: string }>>(server, "/projects/default/shop/issues/?query=&statsPeriod=");
  expect(await ping("/start")).toBe(202);
  expect(await ping("/3", { method: "POST", body: "dumping\npassword=hunter2hunter2\nno space left" })).toBe(202);
  await waitFor("the issue", async () => (await issues()).some(({ title }) => title === "backup failed"));
  expect(await ping("/0")).toBe(202);
  await waitFor("its end", async () => (await issues()).every(({ status }) => status === "resolved"));

  // One environment more than a monitor has: nothing is refused, and the list of monitors says so.
  await Promise.all(Array.from({ length: 100 }, (_, at) => ping(`/0?environment=e${at}`)));
  const owner = await signIn(server);
  await waitFor("the notice", async () => (await owner.open("/crons")).html.includes("1 check-in<!-- --> to"));

  Sentry.init({ dsn, environment: "eu", release: "jobs@1" });
  const config = { schedule: { type: "crontab", value: "0 3 * * *" }, timezone: "Europe/Berlin" } as const;
  Sentry.withMonitor("report", () => "done", { ...config, checkinMargin: 5, maxRuntime: 10 });
  await expect(Sentry.withMonitor("report", async () => Promise.reject(new Error("no paper")), config)).rejects.toThrow(
    "no paper",
  );
  await Sentry.close(5000);
  const [monitor] = await waitFor("the monitor", async () => {
    const found = await getJson<Found[]>(server, "/organizations/default/monitors/?query=report");
    return found[0]?.environments[0]?.lastCheckInStatus === "error" && found;
  });
  expect(monitor).toMatchObject({
    slug: "report",
    config: { schedule: "0 3 * * *", timezone: "Europe/Berlin" },
    environments: [{ name: "eu", status: "error", nextCheckIn: expect.stringMatching(/Z$/) }],
  });
  await waitFor("its issue", async () => (await issues()).some(({ title }) => title === "report failed"));
});
