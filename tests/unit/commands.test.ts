import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { makeTempFolder } from "../support/temp-folder.ts";

test("each command for operators is there in a checkout and in a release", () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync("package.json", "utf8"));
  const ofCheckout = Object.entries(scripts).flatMap(([name, script]) =>
    script === `node scripts/setup.mjs && exec node scripts/${name}.ts` ? [name] : [],
  );
  expect(ofCheckout).toContain("backup");
  const help = spawnSync(process.execPath, ["bin/culprit.mjs", "--help"], { encoding: "utf8" }).stdout;
  const ofRelease = [...help.matchAll(/^culprit ([a-z]\S*)/gm)].map(([, name]) => name);
  expect(ofRelease.sort()).toEqual(ofCheckout.sort());
  const bin = readFileSync("bin/culprit.mjs", "utf8");
  for (const name of ofCheckout) expect(bin).toContain(`import("../scripts/${name}.ts")`);
});

const OF_RELEASE = ["account", "backup", "restore", "check", "rebuild", "location", "go-back"];

/** As an installed release does, where there is no data. */
async function culprit(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ["bin/culprit.mjs", ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: "/nowhere" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

test.each(OF_RELEASE)("culprit %s says what it takes when it is asked", async (name) => {
  const usage = expect.stringMatching(new RegExp(`^usage: npm run ${name}\\b.*culprit ${name}`));
  expect(await culprit(name, "--help")).toEqual({ code: 0, stdout: usage, stderr: "" });
});

test.each(["account", "backup", "check"])(
  "culprit %s says so when it does not know an option, before it looks for data",
  async (name) => {
    const { code, stderr } = await culprit(name, "--frob");
    expect(code).toBe(1);
    expect(stderr).toContain(`usage: npm run ${name}`);
  },
);

test("the server takes no options, and says what configures it", async () => {
  const refused = { code: 1, stdout: "", stderr: expect.stringContaining("environment variables configure it") };
  expect(await culprit("start", "--port", "80")).toEqual(refused);
  const ofCheckout = spawnSync(process.execPath, ["scripts/start.ts", "--port", "80"], { encoding: "utf8" });
  expect({ code: ofCheckout.status, stdout: ofCheckout.stdout, stderr: ofCheckout.stderr }).toEqual(refused);
});

test.each(["account list", "backup /tmp", "check", "rebuild", "go-back"])(
  "culprit %s names the folder that is missing, and the variable",
  async (command) => {
    const { code, stderr } = await culprit(...command.split(" "));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/no folder \/nowhere: .*set DATA_DIR\n$/),
    });
  },
);

test("culprit check says that a file is no folder, and makes nothing in a folder without data", async () => {
  using temp = makeTempFolder();
  const file = join(temp.path, "file");
  writeFileSync(file, "");
  expect((await culprit("check", file)).stderr).toMatch(/file is a file, not a folder: name a data folder or a backup/);
  const empty = join(temp.path, "empty");
  mkdirSync(empty);
  expect(await culprit("check", empty)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is neither a data"),
  });
  expect(readdirSync(empty)).toEqual([]);
});

test("an argument that is empty is refused, because it would name the working folder", async () => {
  for (const command of ["backup", "check"]) {
    const { code, stderr } = await culprit(command, "");
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("an argument is empty\nusage:") });
  }
});

test("a reader that goes does not end a command", async () => {
  const child = spawn(process.execPath, ["bin/culprit.mjs", "check", "--help"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  expect({ stderr: await text(child.stderr), code: await code }).toEqual({ stderr: "", code: 0 });
});
