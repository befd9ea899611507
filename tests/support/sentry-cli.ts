import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { type ProgramResult, runToEnd } from "./run-to-end.ts";

/** The binaries as npm brings them, in packages for each platform. */
const PACKAGES = { "2.x": "sentry-cli-2", "3.x": "sentry-cli-3" } as const;
export type CliVersion = keyof typeof PACKAGES;
export const CLI_VERSIONS = Object.keys(PACKAGES) as CliVersion[];

const TIMEOUT_MS = 120_000;

/** Null when npm has brought none for this platform. */
export function findSentryCli(version: CliVersion): string | null {
  const require = createRequire(import.meta.url);
  const cli = require(PACKAGES[version]) as { getPath?: () => string; SentryCli?: { getPath(): string } };
  const path = cli.SentryCli?.getPath() ?? cli.getPath?.() ?? "";
  return existsSync(path) ? path : null;
}

/** Runs sentry-cli as a build does: told by the environment where to go, and nothing of the machine it runs on. */
export async function runSentryCli(
  version: CliVersion,
  args: readonly string[],
  options: {
    url: string;
    token: string | null;
    cwd?: string;
    /** Added; undefined takes a variable away. */
    env?: Record<string, string | undefined>;
  },
): Promise<ProgramResult> {
  const path = findSentryCli(version);
  if (path === null) throw new Error(`there is no sentry-cli ${version} for this platform`);
  return runToEnd(path, args, {
    cwd: options.cwd ?? tmpdir(),
    env: {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      NO_COLOR: "1",
      SENTRY_NO_PROGRESS_BAR: "1",
      SENTRY_DISABLE_UPDATE_CHECK: "1",
      SENTRY_URL: options.url,
      SENTRY_ORG: "default",
      SENTRY_PROJECT: "shop",
      ...(options.token === null ? {} : { SENTRY_AUTH_TOKEN: options.token }),
      ...options.env,
    },
    timeoutMs: TIMEOUT_MS,
  });
}
