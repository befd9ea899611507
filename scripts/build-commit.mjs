import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The commit that is checked out, like `1f2e3d4c5b6a` or `1f2e3d4c5b6a-dirty`. Builds without git or its folder (a
 * container image, for one) name it in `SOURCE_COMMIT`. `unknown` if neither does.
 *
 * @param {string} root folder of the project
 * @param {Record<string, string | undefined>} [env]
 */
export function findCommit(root, env = process.env) {
  const given = env.SOURCE_COMMIT?.trim() ?? "";
  if (/^[0-9a-f]{7,64}(-dirty)?$/.test(given)) return given.replace(/^([0-9a-f]{12})[0-9a-f]*/, "$1");
  const { status, stdout } = spawnSync("git", ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"], {
    cwd: root,
    encoding: "utf8",
    // An unpacked archive may lie inside of another project's checkout, whose commit is not ours.
    env: { ...env, GIT_CEILING_DIRECTORIES: dirname(resolve(root)) },
  });
  return (status === 0 && stdout.trim()) || "unknown";
}

/** Leaves the commit where the server finds it: app/server/build-version.server.ts. @param {string} root */
export function writeBuildCommit(root) {
  mkdirSync(join(root, "build"), { recursive: true });
  writeFileSync(join(root, "build", "commit"), `${findCommit(root)}\n`);
}
