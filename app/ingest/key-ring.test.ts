import { describe, expect, onTestFinished, test } from "vitest";
import type { Project, ProjectKey } from "../domain/project.ts";
import { createKeyRing, type KeyRingOptions } from "./key-ring.ts";

const PROJECT: Project = {
  id: 1,
  slug: "p",
  name: "P",
  platform: "node",
  allowedOrigins: [],
  sourceLinks: null,
  fetchesSourceMaps: false,
  serviceRules: [],
  apdexMs: 300,
  groupingMovedAt: null,
  createdAt: 0,
  firstEventAt: null,
};
const KEY: ProjectKey = {
  id: 1,
  projectId: 1,
  label: "",
  publicKey: "a".repeat(32),
  isEnabled: true,
  rateLimit: null,
  sdkFeatures: [],
  createdAt: 0,
};

/** The three calls that the ring makes, over lists that the test changes. */
function start(pollIntervalMs = 60_000) {
  const rows = { version: 1, projects: [PROJECT], keys: [KEY], failure: null as Error | null };
  const errors: object[] = [];
  const directory: KeyRingOptions["directory"] = {
    version: async () => {
      if (rows.failure) throw rows.failure;
      return rows.version;
    },
    listProjects: async () => rows.projects,
    // Answers later than it looks, as a store on another thread does.
    listKeys: async () => {
      const { keys } = rows;
      await new Promise((resolve) => setImmediate(resolve));
      return keys;
    },
  };
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => errors.push(fields) };
  const ring = createKeyRing({ directory, log, pollIntervalMs });
  onTestFinished(() => ring.close());
  return { rows, ring, errors };
}

describe("createKeyRing", () => {
  test("knows nothing until it is loaded", async () => {
    const { ring } = start();
    expect(ring.isLoaded).toBe(false);
    expect(ring.find(KEY.publicKey)).toBeUndefined();
    await ring.reload();
    expect(ring.isLoaded).toBe(true);
    expect(ring.find(KEY.publicKey)).toMatchObject({ key: KEY, project: PROJECT });
    expect(ring.find("b".repeat(32))).toBeUndefined();
    expect(ring.find("__proto__")).toBeUndefined();
  });

  test("checks origins as the project says", async () => {
    const { rows, ring } = start();
    rows.projects = [{ ...PROJECT, allowedOrigins: ["app.example.com"] }];
    await ring.reload();
    expect(ring.find(KEY.publicKey)?.isOriginAllowed("https://app.example.com", undefined)).toBe(true);
    expect(ring.find(KEY.publicKey)?.isOriginAllowed("https://example.org", undefined)).toBe(false);
  });

  test("a reload that is asked for during another sees what was changed before it was asked for", async () => {
    const { rows, ring } = start();
    const first = ring.reload();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    rows.keys = [{ ...KEY, isEnabled: false }];
    await Promise.all([first, ring.reload(), ring.reload()]);
    expect(ring.find(KEY.publicKey)?.key.isEnabled).toBe(false);
  });

  test("notices by itself what another process changed", async () => {
    const { rows, ring } = start(5);
    await ring.reload();
    rows.keys = [{ ...KEY, label: "changed" }];
    rows.version = 2;
    await expect.poll(() => ring.find(KEY.publicKey)?.key.label).toBe("changed");
  });

  test("keeps its keys when the store fails, says so, and recovers", async () => {
    const { rows, ring, errors } = start(5);
    await ring.reload();
    rows.failure = new Error("database is locked");
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    expect(ring.find(KEY.publicKey)).toBeDefined();
    rows.failure = null;
    rows.keys = [];
    rows.version = 2;
    await expect.poll(() => ring.find(KEY.publicKey)).toBeUndefined();
  });
});
