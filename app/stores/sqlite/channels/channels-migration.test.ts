import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVERYTHING } from "../../state/contract/fixture.ts";
import { SqliteConnection } from "../connection.ts";
import { migrate, readStateMigrations } from "../migrate.ts";
import { openSqliteState } from "../open-sqlite-state.ts";

test("the webhook of each project becomes a channel that it has chosen, with what waits for it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "culprit-channels-"));
  try {
    const path = join(folder, "state.db");
    const db = await SqliteConnection.open({ path, isReadOnly: false });
    await migrate(
      db,
      readStateMigrations().filter(({ number }) => number < 52),
    );
    db.exec(`
      INSERT INTO projects (id, slug, name, platform, created_at) VALUES
        (1, 'web', 'Web', 'node', 0), (2, 'api', 'API', 'node', 0), (3, 'shop', 'Shop', 'node', 0), (4, 'app', 'App', 'node', 0);
      INSERT INTO notification_settings (project_id, transitions, emails, webhook) VALUES
        (1, '["new"]', '["a@b.c"]', '{"url":"https://example.com/x","form":"json","secret":"whsec_eA=="}'),
        (2, '["new"]', NULL, '{"url":"https://chat.example.com/hooks/x","form":"slack","secret":"whsec_eA=="}'),
        (3, '["new"]', NULL, '{"url":"https://hooks.slack.com/services/x","form":"slack","secret":"whsec_eA=="}'),
        (4, '["new"]', NULL, NULL);
      INSERT INTO deliveries (key, project_id, channel, address, items, more, attempts, created_at, next_attempt_at) VALUES
        ('k1', 1, 'webhook', '', '[]', '{"new":1,"regressed":0}', 0, 0, 0),
        ('k4', 4, 'webhook', '', '[]', '{"new":1,"regressed":0}', 0, 0, 0),
        ('mail', 1, 'email', 'a@b.c', '[]', '{"new":1,"regressed":0}', 0, 0, 0);
      INSERT INTO delivery_channels (project_id, channel, address, last_delivered_at, last_answer) VALUES
        (1, 'webhook', '', 5, '200 ok');`);
    db.close();
    const state = await openSqliteState({ path });
    try {
      expect(await state.notifications.getNotificationSettings(EVERYTHING, 1)).toEqual({
        emails: ["a@b.c"],
        channelIds: [1],
      });
      expect((await state.notifications.getNotificationSettings(EVERYTHING, 4)).channelIds).toEqual([]);
      expect(await state.channels.listChannels(EVERYTHING)).toMatchObject([
        { kind: "mattermost", name: "Webhook of api", projectIds: [2] },
        { kind: "slack", name: "Webhook of shop", secrets: { url: "https://hooks.slack.com/services/x" } },
        {
          kind: "webhook",
          name: "Webhook of web",
          secrets: { url: "https://example.com/x", secret: "whsec_eA==" },
          lastAnswer: "200 ok",
          waiting: 1,
        },
      ]);
      const claimed = [
        await state.deliveries.claim({ now: 1, retryAt: () => 100 }),
        await state.deliveries.claim({ now: 1, retryAt: () => 100 }),
        await state.deliveries.claim({ now: 1, retryAt: () => 100 }),
      ];
      expect(claimed.map((delivery) => delivery?.key)).toEqual(["k1", "mail", undefined]);
      expect(claimed[0]?.target).toEqual({ projectId: 1, channel: "channel", address: "1" });
    } finally {
      await state.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
