import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

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
