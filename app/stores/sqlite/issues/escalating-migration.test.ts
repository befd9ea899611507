import { expect, test } from "vitest";
import { SqliteConnection } from "../connection.ts";
import { migrate, readStateMigrations } from "../migrate.ts";

/** By id; each has the substatus that it had, and one came back with far more events than before. */
const BEFORE = `
  INSERT INTO issues (id, project_id, short_id, status, substatus, status_changed_at, first_seen_at, last_seen_at, event_count, user_count, level,
    is_unhandled, platform, title, culprit, search_text, value, set_priority)
    SELECT column1, 1, 'A-' || column1, column2, column3, 50, 1, 60, 7, 2, 'error', 1, 'node', 'title', '', 'title', '', 3
    FROM (VALUES (1, 'unresolved', 'new'), (2, 'unresolved', 'regressed'), (3, 'unresolved', 'ongoing'), (4, 'unresolved', 'ongoing'),
      (5, 'archived', 'ongoing'), (6, 'unresolved', 'ongoing'));
  INSERT INTO issue_activity (issue_id, at, kind, user_id, data) VALUES
    (3, 50, 'reopened', NULL, '{"archive":{"kind":"escalates"},"escalation":{"unit":"hour","from":0,"count":19,"most":16}}'),
    (4, 50, 'reopened', NULL, '{"archive":{"kind":"events","count":2,"windowMinutes":null}}'),
    (5, 50, 'reopened', NULL, '{"archive":{"kind":"escalates"},"escalation":{"unit":"hour","from":0,"count":19,"most":16}}'),
    (6, 40, 'reopened', NULL, '{"archive":{"kind":"escalates"},"escalation":{"unit":"hour","from":0,"count":19,"most":16}}'),
    (6, 50, 'reopened', 1, '{}');`;

test("issues keep all that they have, and those that came back with far more events are called so", async () => {
  const db = await SqliteConnection.open({ path: ":memory:", isReadOnly: false });
  try {
    const all = readStateMigrations();
    const own = all.find(({ name }) => name.includes("escalating-issues"))?.number ?? 0;
    await migrate(
      db,
      all.filter(({ number }) => number < own),
    );
    db.exec(BEFORE);
    const read = () =>
      db.all<{ id: number; substatus?: string }>("SELECT * FROM issues ORDER BY id").map((row) => {
        const { substatus, ...others } = row;
        return { substatus, others };
      });
    const before = read();
    await migrate(db, all);
    const after = read();
    expect(after.map(({ substatus }) => substatus)).toEqual([
      "new",
      "regressed",
      "escalating",
      "ongoing",
      "ongoing",
      "ongoing",
    ]);
    expect(after.map(({ others }) => others)).toEqual(before.map(({ others }) => others));
    expect(() => db.exec("UPDATE issues SET substatus = 'odd'")).toThrow(/CHECK constraint/);
    // An id of a deleted issue is never given again.
    expect(db.all("SELECT seq FROM sqlite_sequence WHERE name = 'issues'")).toEqual([{ seq: 6 }]);
  } finally {
    db.close();
  }
});
