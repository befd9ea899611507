import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAlertsWithoutEvents } from "../../../../tests/support/alerts-without-events.ts";
import { ALERTS_READER } from "../../../jobs/route-alerts.ts";
import { EVERYTHING, NOON } from "../../state/contract/fixture.ts";
import type { State } from "../../state/state.ts";
import { SqliteConnection } from "../connection.ts";
import { migrate, readStateMigrations } from "../migrate.ts";
import { openSqliteState } from "../open-sqlite-state.ts";

/** The owner is user 1. `shop` has settings of its own, `web` has never changed them, `api` tells nobody, `app` only what is new. */
const BEFORE = `
  INSERT INTO organization (id, slug, name, created_at) VALUES (1, 'o', 'O', 0);
  INSERT INTO users (id, email, email_key, name, password_hash, created_at) VALUES (1, 'ada@example.com', 'ada@example.com', 'Ada', 'x', 0);
  INSERT INTO members (user_id, role, joined_at) VALUES (1, 'owner', 0);
  INSERT INTO projects (id, slug, name, platform, created_at) VALUES
    (1, 'shop', 'Shop', 'node', 0), (2, 'web', 'Web', 'node', 0), (3, 'api', 'API', 'node', 0), (4, 'app', 'App', 'node', 0);
  INSERT INTO channels (id, kind, name, settings, secrets, serves_all, created_at) VALUES (9, 'webhook', 'Hook', '{}', '{}', 1, 0);
  INSERT INTO notification_settings (project_id, transitions, emails) VALUES
    (1, '["regressed"]', '["bob@example.com"]'), (3, '[]', '["bob@example.com"]'), (4, '["new"]', '[]');
  INSERT INTO notification_channels (project_id, channel_id) VALUES (4, 9);
  INSERT INTO alert_rules (id, name, project_ids, triggers, match, conditions, actions, frequency_minutes, is_enabled, is_primed, created_at, changed_at)
    VALUES (1, 'Own', NULL, '[{"kind":"new"}]', 'all', '[]', '[{"kind":"person","id":1}]', 0, 1, 0, 0, 0);
  INSERT INTO issues (id, project_id, short_id, status, substatus, status_changed_at, first_seen_at, last_seen_at, event_count, user_count, level,
    is_unhandled, platform, title, culprit, search_text, value)
    SELECT id, id, slug || '-1', 'unresolved', 'new', 0, 0, 0, 1, 0, 'error', 0, 'node', slug, '', slug, '' FROM projects;
  INSERT INTO outbox (position, transition, project_id, issue_id, event_id, at) VALUES
    (11, 'new', 2, 2, 'e1', 1), (12, 'new', 4, 4, 'e2', 2), (13, 'regressed', 1, 1, 'e3', 3);`;

async function withMigrated(readers: string, look: (state: State) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "culprit-alerts-"));
  try {
    const path = join(folder, "state.db");
    const db = await SqliteConnection.open({ path, isReadOnly: false });
    const all = readStateMigrations();
    const own = all.find(({ name }) => name.includes("rules-of-settings"))?.number ?? 0;
    await migrate(
      db,
      all.filter(({ number }) => number < own),
    );
    db.exec(BEFORE + readers);
    db.close();
    const state = await openSqliteState({ path });
    try {
      await look(state);
    } finally {
      await state.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the rules tell of the entries that wait: `issue target`. */
async function tell(state: State): Promise<string[]> {
  await state.outbox.addReader(ALERTS_READER);
  let keys = 0;
  const job = createAlertsWithoutEvents({ state, isMailSetUp: true, now: () => NOON, createKey: () => `${++keys}` });
  await job.run(new AbortController().signal);
  const told: string[] = [];
  for (;;) {
    const delivery = await state.deliveries.claim({ now: NOON, retryAt: () => NOON + 1 });
    if (delivery === null) return told.sort();
    const { channel, address } = delivery.target;
    for (const { issueId } of delivery.items) told.push(`${issueId} ${channel} ${address}`);
  }
}

const READERS = (notifications: number, alerts: number | null) =>
  `INSERT INTO outbox_readers (reader, position) VALUES ('notifications', ${notifications})${alerts === null ? "" : `, ('alerts', ${alerts})`};`;

test("what the settings of projects told becomes a rule of each project", async () => {
  await withMigrated(READERS(13, 13), async (state) => {
    const rules = await state.alerts.listRules(EVERYTHING, NOON);
    expect(rules.map(({ name, projectIds, triggers }) => [name, projectIds, triggers.map(({ kind }) => kind)])).toEqual(
      [
        ["New and returning issues of web", [2], ["new", "regressed", "unarchived", "escalating"]],
        ["New issues of app", [4], ["new"]],
        ["Own", null, ["new"]],
        ["Returning issues of shop", [1], ["regressed", "unarchived", "escalating"]],
      ],
    );
    expect(rules.filter(({ id }) => id > 1).map(({ actions, isEnabled }) => [actions, isEnabled])).toEqual(
      Array(3).fill([[{ kind: "recipients" }], true]),
    );
    const recipients = (projectId: number) => state.notifications.getNotificationSettings(EVERYTHING, projectId);
    expect(await recipients(1)).toEqual({ emails: ["bob@example.com"], channelIds: [] });
    // The owner, whatever their address is at the time.
    expect(await recipients(2)).toEqual({ emails: null, channelIds: [] });
    expect(await recipients(4)).toEqual({ emails: [], channelIds: [9] });
  });
});

test.each([
  ["both readers had told everything", READERS(13, 13), []],
  [
    "nothing was told yet: the rule of the person and the settings both tell",
    READERS(10, 10),
    ["1 email bob@example.com", "2 person 1", "4 channel 9", "4 person 1"],
  ],
  ["the settings were ahead", READERS(12, 10), ["1 email bob@example.com", "2 person 1", "4 person 1"]],
  ["the rules were ahead", READERS(11, 12), ["1 email bob@example.com", "4 channel 9"]],
  [
    "there were no rules before",
    `${READERS(11, null)} DELETE FROM alert_rules;`,
    ["1 email bob@example.com", "4 channel 9"],
  ],
] as const)("nothing is told twice and nothing is left out when %s", async (_, readers, told) => {
  await withMigrated(readers, async (state) => {
    expect(await tell(state)).toEqual(told);
  });
});
