import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
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
