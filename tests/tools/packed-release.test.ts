import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { pack } from "../../scripts/pack/pack.ts";
import { sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { startCommand } from "../support/start-command.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const root = new URL("../..", import.meta.url).pathname;
const folder = makeTempFolder();
const installed = join(folder.path, "installed", "node_modules");
const command = join(installed, ".bin", "culprit");
let archive = "";

beforeAll(() => {
  archive = pack(folder.path);
  install(archive);
});
afterAll(() => folder[Symbol.dispose]());

/** From npm's cache, which `npm ci` has filled. Where that is empty, npm's part is done by hand: unpack, link what it needs. */
function install(path: string): void {
  const prefix = dirname(installed);
  mkdirSync(prefix);
  const args = ["install", "--offline", "--no-audit", "--no-fund", "--prefix", prefix, path];
  const { status, stderr } = spawnSync("npm", args, { cwd: prefix, encoding: "utf8" });
  if (status === 0) return;
  if (!stderr.includes("ENOTCACHED")) throw new Error(stderr);
  console.info("npm's cache lacks packages of the release: they are linked from this checkout");
  const target = join(installed, "culprit");
  mkdirSync(join(target, "node_modules"), { recursive: true });
  execFileSync("tar", ["xzf", path, "--strip-components=1", "-C", target]);
  for (const place of Object.keys(readJson(join(target, "npm-shrinkwrap.json")).packages)) {
    if (place === "" || !existsSync(join(root, place))) continue;
    mkdirSync(dirname(join(target, place)), { recursive: true });
    symlinkSync(join(root, place), join(target, place));
  }
  mkdirSync(dirname(command), { recursive: true });
  // As npm does for what it links: files of the archive have no right to execute.
  chmodSync(join(target, "bin", "culprit.mjs"), 0o755);
  symlinkSync(join(target, "bin", "culprit.mjs"), command);
}

test("a packed release starts from a folder where nothing is built, takes events and shows them", async () => {
  using data = makeTempFolder();
  const token = "token-of-the-owner";
  const server = startCommand(command, [], {
    cwd: data.path,
    env: { CULPRIT_ADMIN: "owner@example.com:correct horse battery", CULPRIT_PROJECT: "shop", CULPRIT_TOKEN: token },
  });
  try {
    const { port } = await server.waitFor("accepting events");
    const dsn = String((await server.waitFor("DSN of shop")).dsn).replace("localhost", "127.0.0.1");
    await server.waitFor("ready");
    const url = `http://127.0.0.1:${port}`;
    const { eventId, envelope } = toEventEnvelope({ message: "to a packed release" });
    expect((await sendEnvelope({ url, dsn }, envelope)).status).toBe(200);
    await waitForEvent({ url, token, dsn } as Parameters<typeof waitForEvent>[0], eventId);
    const page = await (await fetch(`${url}/sign-in`)).text();
    const [, script = ""] = /<script[^>]+src="(\/assets\/[^"]+\.js)"|href="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
    expect(page).toContain("Sign in");
    if (script) expect((await fetch(url + script)).status).toBe(200);
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ version: packageJson.version });
    // Its data is where it was started.
    expect(existsSync(join(data.path, "data", "state.sqlite"))).toBe(true);
    const accounts = execFileSync(command, ["account", "list"], { cwd: data.path, encoding: "utf8" });
    expect(accounts).toContain("owner@example.com");
  } finally {
    server.child.kill("SIGTERM");
  }
  expect(await server.ended).toBe(0);
});

test("it names every package that its code loads, also where a start does not need it", () => {
  const { dependencies } = readJson(join(installed, "culprit", "package.json"));
  const code = globSync(join(installed, "culprit", "build", "node", "*.js")).map((file) => readFileSync(file, "utf8"));
  const isLoaded = (name: string) => code.some((text) => new RegExp(`(from|import\\()["'\`]${name}[/"'\`]`).test(text));
  const loaded = Object.keys(packageJson.dependencies).filter(isLoaded);
  // Mail, single sign-on, source maps and repositories.
  expect(loaded).toEqual(expect.arrayContaining(["nodemailer", "openid-client", "yauzl", "acorn", "zod"]));
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(loaded));
});

test("it tells its version, and refuses a command that it does not know", () => {
  expect(execFileSync(command, ["--version"], { encoding: "utf8" })).toContain(`${packageJson.version} (commit `);
  const unknown = spawnSync(command, ["serve"], { encoding: "utf8" });
  expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining("no command `serve`")]);
});

test("it holds JavaScript and pinned packages, no TypeScript, no build tool and no address of a registry", () => {
  const files = execFileSync("tar", ["tzf", archive], { encoding: "utf8" }).split("\n");
  expect(files.filter((name) => /\.tsx?$|\.test\.|fixtures|compile-cache/.test(name))).toEqual([]);
  const { dependencies } = readJson(join(installed, "culprit", "package.json"));
  expect(Object.keys(dependencies)).toContain("@duckdb/node-api");
  expect(Object.keys(dependencies).filter((name) => /vite|tailwind|react-router\/dev|typescript/.test(name))).toEqual(
    [],
  );
  const locked: Record<string, { version?: string }> = lock.packages;
  for (const [name, version] of Object.entries(dependencies))
    expect([name, version]).toEqual([name, locked[`node_modules/${name}`]?.version]);
  for (const file of globSync("*.json", { cwd: join(installed, "culprit") }))
    expect(readFileSync(join(installed, "culprit", file), "utf8")).not.toContain("resolved");
});

test("it gives the licences of the packages that its pages and scripts hold", () => {
  const notices = readFileSync(join(installed, "culprit", "THIRD-PARTY-NOTICES.txt"), "utf8");
  for (const name of ["react-dom", "lucide-react", "@sentry/core", "zod"]) {
    const { version, license } = readJson(join(root, "node_modules", name, "package.json"));
    expect(notices).toContain(`${name} ${version}: ${license}`);
  }
  expect(notices).toContain("Permission is hereby granted, free of charge");
  // Build tools are no part of it.
  expect(notices).not.toMatch(/^(vite|tailwindcss|typescript) /m);
});

function readJson(path: string) {
  return JSON.parse(readFileSync(path, "utf8"));
}
