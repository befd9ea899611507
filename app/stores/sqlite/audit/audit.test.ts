import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeScope } from "../../../domain/scope.ts";
import type { State } from "../../state/state.ts";
import { openTestState } from "../sqlite-state-database.ts";

const SCOPE = makeScope({ organizationId: 1, projectIds: [], rights: [] });
const folder = mkdtempSync(join(tmpdir(), "audit-"));
const path = join(folder, "state.sqlite");
let state: State;
let database: DatabaseSync;

beforeAll(async () => {
  state = await openTestState({ path });
  database = new DatabaseSync(path);
  for (let id = 1; id <= 4; id++)
    await state.audit.note({ action: "team.create", target: { kind: "team", id, name: `team ${id}` } });
});

afterAll(async () => {
  database.close();
  await state.close();
  rmSync(folder, { recursive: true });
});

test("the database refuses to change or delete an entry", () => {
  expect(() => database.exec("UPDATE audit_entries SET action = 'x' WHERE id = 2")).toThrow("never changed");
  expect(() => database.exec("DELETE FROM audit_entries WHERE id = 2")).toThrow("never deleted");
  expect(() => database.exec("UPDATE audit_ends SET last_id = 1")).toThrow("only grows");
  expect(() => database.exec("DELETE FROM audit_ends")).toThrow("stay");
});

test("a changed, a missing and a cut entry are named", async () => {
  // Somebody who can write the file can also drop its triggers.
  database.exec(`
    DROP TRIGGER audit_entries_stay_as_they_are; DROP TRIGGER audit_entries_stay; DROP TRIGGER audit_ends_move_on`);
  expect(await state.audit.checkEntries(SCOPE)).toMatchObject({ ok: true, count: 4 });
  database.exec("UPDATE audit_entries SET actor_name = 'Eve' WHERE id = 3");
  expect(await state.audit.checkEntries(SCOPE)).toMatchObject({ ok: false, entryId: 3 });
  database.exec("UPDATE audit_entries SET actor_name = 'Culprit' WHERE id = 3");
  expect(await state.audit.checkEntries(SCOPE)).toMatchObject({ ok: true });
  const row = database.prepare("SELECT * FROM audit_entries WHERE id = 4").get();
  database.exec("DELETE FROM audit_entries WHERE id = 4");
  expect(await state.audit.checkEntries(SCOPE)).toEqual({ ok: false, entryId: 4, reason: "it is missing" });
  expect(row?.id).toBe(4);
  database.exec("DELETE FROM audit_entries WHERE id = 2");
  expect(await state.audit.checkEntries(SCOPE)).toEqual({ ok: false, entryId: 2, reason: "it is missing" });
});
