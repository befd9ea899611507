import { expect, test } from "vitest";
import type { SourceLinks } from "../../../domain/source-link.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, createProject, NOON } from "./fixture.ts";

const WEB = { slug: "web", name: "Web", platform: "javascript-react", at: NOON };

export function describeProjectsAndKeys(createDatabase: CreateStateDatabase<Pick<State, "projects">>): void {
  test("a project is made with one enabled key, and found by id and slug", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const created = await store.projects.createProject(WEB);
    if (!created.ok) throw new Error(created.reason);
    const { project } = created;
    expect(project).toEqual({
      id: expect.any(Number),
      slug: "web",
      name: "Web",
      platform: "javascript-react",
      allowedOrigins: [],
      sourceLinks: null,
      fetchesSourceMaps: false,
      createdAt: NOON,
      firstEventAt: null,
    });
    expect(await store.projects.getProject(project.id)).toEqual(project);
    expect(await store.projects.getProjectBySlug("web")).toEqual(project);
    expect(await store.projects.getProject(999)).toBeNull();
    expect(await store.projects.getProjectBySlug("other")).toBeNull();
    expect(await store.projects.listProjects()).toEqual([project]);
    expect(await store.projects.listKeys(project.id)).toEqual([
      {
        id: expect.any(Number),
        projectId: project.id,
        label: "Default",
        publicKey: expect.stringMatching(/^[0-9a-f]{32}$/),
        isEnabled: true,
        rateLimit: null,
        createdAt: NOON,
      },
    ]);
  });

  test("a slug that is taken is refused, and nothing is made", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    await store.projects.createProject(WEB);
    const version = await store.projects.configurationVersion();
    expect(await store.projects.createProject({ ...WEB, name: "Other" })).toEqual({ ok: false, reason: "slug-taken" });
    expect(await store.projects.listProjects()).toHaveLength(1);
    expect(await store.projects.listKeys(null)).toHaveLength(1);
    expect(await store.projects.configurationVersion()).toBe(version);
  });

  test("a project changes only in what is named", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const projectId = await createProject(store, "web");
    await createProject(store, "api");
    const allowedOrigins = ["https://example.com", "*.example.org"];
    const changed = await store.projects.changeProject(projectId, { name: "Shop", allowedOrigins });
    expect(changed).toMatchObject({ ok: true, project: { name: "Shop", slug: "web", allowedOrigins } });
    const sourceLinks = {
      host: "github",
      repositoryUrl: "https://github.com/acme/shop",
      template: null,
      defaultBranch: "main",
      codeMappings: [
        { stackRoot: "/srv/app", sourceRoot: "packages/web" },
        { stackRoot: "", sourceRoot: "" },
      ],
    } satisfies SourceLinks;
    expect(await store.projects.changeProject(projectId, { sourceLinks })).toMatchObject({ project: { sourceLinks } });
    expect(await store.projects.changeProject(projectId, { platform: "go" })).toMatchObject({
      project: { allowedOrigins, sourceLinks },
    });
    expect((await store.projects.getProject(projectId))?.sourceLinks).toEqual(sourceLinks);
    expect(await store.projects.changeProject(projectId, { fetchesSourceMaps: true })).toMatchObject({
      project: { fetchesSourceMaps: true, sourceLinks },
    });
    expect((await store.projects.getProject(projectId))?.fetchesSourceMaps).toBe(true);
    expect(await store.projects.changeProject(projectId, { sourceLinks: null })).toMatchObject({
      project: { sourceLinks: null, fetchesSourceMaps: true },
    });
    expect(await store.projects.changeProject(projectId, { slug: "api" })).toEqual({ ok: false, reason: "slug-taken" });
    expect(await store.projects.changeProject(999, { name: "x" })).toEqual({ ok: false, reason: "not-found" });
    expect(await store.projects.changeProject(projectId, { slug: "web" })).toMatchObject({ ok: true });
    expect(await store.projects.changeProject(projectId, { slug: "shop", platform: "node" })).toMatchObject({
      ok: true,
    });
    expect(await store.projects.getProjectBySlug("shop")).toMatchObject({
      id: projectId,
      name: "Shop",
      platform: "node",
    });
    expect(await store.projects.getProjectBySlug("web")).toBeNull();
  });

  test("keys are made, changed and deleted one by one", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const projectId = await createProject(store, "web");
    const otherId = await createProject(store, "other");
    const publicKey = "0123456789abcdef0123456789abcdef";
    const key = await store.projects.createKey({ projectId, label: "Mobile", publicKey, at: NOON });
    expect(key).toMatchObject({ projectId, label: "Mobile", publicKey, isEnabled: true, rateLimit: null });
    const rateLimit = { count: 100, windowSeconds: 60 };
    expect(await store.projects.changeKey(key.id, { rateLimit })).toEqual({ ...key, rateLimit });
    expect(await store.projects.changeKey(key.id, { isEnabled: false })).toEqual({
      ...key,
      rateLimit,
      isEnabled: false,
    });
    expect(await store.projects.changeKey(key.id, { rateLimit: null, label: "App" })).toEqual({
      ...key,
      isEnabled: false,
      label: "App",
    });
    expect(await store.projects.changeKey(999, { label: "x" })).toBeNull();
    expect((await store.projects.listKeys(projectId)).map((listed) => listed.label)).toEqual(["Default", "App"]);
    expect(await store.projects.listKeys(null)).toHaveLength(3);
    expect(await store.projects.listKeys(otherId)).toHaveLength(1);
    expect(await store.projects.deleteKey(key.id)).toBe(true);
    expect(await store.projects.deleteKey(key.id)).toBe(false);
    expect(await store.projects.listKeys(projectId)).toHaveLength(1);
  });

  test("two keys never have the same public key, and a key belongs to a project that exists", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const projectId = await createProject(store, "web");
    const key = { projectId, label: "x", publicKey: "a".repeat(32), at: NOON };
    await store.projects.createKey(key);
    await expect(store.projects.createKey(key)).rejects.toThrow();
    await expect(store.projects.createKey({ ...key, publicKey: "b".repeat(32), projectId: 999 })).rejects.toThrow();
    expect(await store.projects.listKeys(null)).toHaveLength(2);
  });

  test("the configuration's version grows with each change, and every connection sees it", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const reader = await database.connect();
    const versions = [await reader.projects.configurationVersion()];
    const note = async () => versions.push(await reader.projects.configurationVersion());
    const projectId = await createProject(store, "web");
    await note();
    await store.projects.changeProject(projectId, { name: "Shop" });
    await note();
    const key = await store.projects.createKey({ projectId, label: "x", publicKey: "c".repeat(32), at: NOON });
    await note();
    await store.projects.changeKey(key.id, { isEnabled: false });
    await note();
    await store.projects.deleteKey(key.id);
    await note();
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(await store.projects.deleteKey(key.id)).toBe(false);
    expect(await reader.projects.configurationVersion()).toBe(versions.at(-1));
  });
}
