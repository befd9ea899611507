import { readFileSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };
import type { BuildVersion } from "../domain/build-version.ts";

/** Written by `scripts/build-commit.mjs`, because a server may run where neither git nor its history is. */
const COMMIT_FILE = new URL("../../build/commit", import.meta.url);

export function readBuildVersion(): BuildVersion {
  return { version: packageJson.version, commit: readCommit() };
}

/** The name of the release. The commit is build metadata, which does not count in the order of versions. */
export function toRelease({ version, commit }: BuildVersion): string {
  return commit === "unknown" ? `culprit@${version}` : `culprit@${version}+${commit}`;
}

function readCommit(): string {
  try {
    return readFileSync(COMMIT_FILE, "utf8").trim() || "unknown";
  } catch {
    return "unknown";
  }
}
