import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyPasswordSync } from "../features/auth/password.server.ts";
import { createPasswordHasher } from "../features/auth/password-hasher.server.ts";
import { createLog } from "../log.server.ts";
import { openTestState } from "../stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING } from "../stores/state/contract/fixture.ts";
import type { State } from "../stores/state/state.ts";
import { findDsn, findKey, setUpFromConfig } from "./first-start.server.ts";

const log = createLog({ level: "silent", format: "json" });
const admin = { email: "ada@example.com", password: "correct horse" };
let folder: string;
let state: State;
const passwords = createPasswordHasher();
afterAll(() => passwords.close());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "culprit-first-start-"));
  state = await openTestState({ path: join(folder, "state.sqlite") });
});

afterEach(async () => {
  await state.close();
  rmSync(folder, { recursive: true });
});

describe("setUpFromConfig", () => {
  test("makes owner, organization, the first project and the built-in one", async () => {
    await setUpFromConfig({ state, passwords }, { admin, projectSlug: "shop" }, { log, now: () => 5000 });
    expect(await state.people.getOrganization()).toMatchObject({ slug: "default" });
    expect(await state.people.getOwner()).toMatchObject({ email: "ada@example.com", name: "ada", role: "owner" });
    expect((await state.directory.listProjects()).map(({ slug }) => slug).sort()).toEqual(["culprit", "shop"]);
    const credentials = await state.people.findCredentials("ada@example.com");
    expect(verifyPasswordSync(admin.password, credentials?.passwordHash ?? "")).toBe(true);
  });

  test("changes nothing on a server that is set up", async () => {
    await setUpFromConfig({ state, passwords }, { admin, projectSlug: "shop" }, { log, now: () => 5000 });
    const other = { email: "eve@example.com", password: "another password" };
    await setUpFromConfig({ state, passwords }, { admin: other, projectSlug: "else" }, { log, now: () => 6000 });
    expect(await state.people.getOwner()).toMatchObject({ email: "ada@example.com" });
    expect(await state.directory.getProjectBySlug("else")).toBeNull();
  });

  test("waits for the set-up page when nothing is configured, or only a project", async () => {
    await setUpFromConfig({ state, passwords }, { admin: null, projectSlug: null }, { log, now: () => 5000 });
    await setUpFromConfig({ state, passwords }, { admin: null, projectSlug: "shop" }, { log, now: () => 5000 });
    expect(await state.people.getOwner()).toBeNull();
    expect(await state.directory.listProjects()).toEqual([]);
  });
});

describe("findDsn", () => {
  test("is one URL with the oldest key that works", async () => {
    await setUpFromConfig({ state, passwords }, { admin, projectSlug: "shop" }, { log, now: () => 5000 });
    const first = await findKey(state, "shop");
    if (!first) throw new Error("expected a key");
    const second = await state.projects.createKey(EVERYTHING, {
      projectId: first.projectId,
      label: "Second",
      publicKey: "f".repeat(32),
      at: 6000,
    });
    const dsn = () => findDsn(state, "shop", "https://example.com/culprit");
    expect(await dsn()).toBe(`https://${first.publicKey}@example.com/culprit/${first.projectId}`);
    await state.projects.changeKey(EVERYTHING, first.id, { isEnabled: false });
    expect(await dsn()).toBe(`https://${second?.publicKey}@example.com/culprit/${first.projectId}`);
    await state.projects.changeKey(EVERYTHING, second?.id ?? 0, { isEnabled: false });
    expect(await dsn()).toBeNull();
  });

  test("is nothing for a project that is not there", async () => {
    expect(await findDsn(state, "nothing", "http://localhost:3000")).toBeNull();
  });
});
