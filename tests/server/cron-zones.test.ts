import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

const HOUR_MS = 3_600_000;

test("a job that runs by another time zone is named in the list, until somebody says that it does not", async () => {
  await using server = await startServer();
  const person = await signIn(server);
  const { username: key } = new URL(server.dsn ?? "");
  await person.post("/crons/new", {
    ...{ intent: "create", project: "shop", name: "Backup", slug: "backup", type: "crontab" },
    ...{ crontab: "0 2 * * *", timezone: "UTC" },
  });
  const ping = await fetch(`${server.url}/api/1/cron/backup/${key}/0`);
  expect(ping.status).toBe(202);
  await expect.poll(async () => (await person.open("/crons/shop/backup")).html.includes("Pause production")).toBe(true);
  // Two days of pings that came seven hours too early, which nothing can send.
  const db = new DatabaseSync(join(server.dataDir, "state.sqlite"), { timeout: 5_000 });
  const { id } = db.prepare("SELECT id FROM monitors WHERE slug = 'backup'").get() as { id: number };
  const midnight = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS;
  for (const day of [4, 3, 2, 1]) {
    const at = midnight - day * 24 * HOUR_MS - 5 * HOUR_MS;
    db.prepare(
      `INSERT INTO monitor_runs (monitor_id, environment, check_in_id, status, started_at, ended_at, is_late)
       VALUES (?, 'production', ?, 'ok', ?, ?, 0)`,
    ).run(id, String(day).padStart(32, "0"), at, at);
  }
  db.prepare("DELETE FROM monitor_runs WHERE monitor_id = ? AND check_in_id IS NULL").run(id);
  db.prepare("UPDATE monitor_environments SET state = 'missed' WHERE monitor_id = ?").run(id);
  db.close();
  expect((await person.open("/crons")).html).toMatch(/another time zone\?/);
  const page = await person.open("/crons/shop/backup");
  expect(page.html).toContain("Neither: do not ask again");
  const kept = await person.post("/crons/shop/backup", { intent: "keep-zone" });
  expect(kept.html).toContain("Nobody is asked again");
  expect((await person.open("/crons")).html).not.toContain("another time zone?");
  expect((await person.open("/crons/shop/backup")).html).not.toContain("Neither");
});
