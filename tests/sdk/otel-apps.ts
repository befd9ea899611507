import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildGo, INSTALL_TIMEOUT_MS, install, installPython, pythonOf, run } from "./run-toolchain.ts";

/** A small application of `tests/sdk/otel` with OpenTelemetry alone. */
export interface OtelApp {
  language: string;
  /** What must be on the machine. */
  program: string;
  versionArgument: string;
  /** Null when the application can be run; else why its packages could not be fetched. */
  prepare(): Promise<string | null>;
  /** Gives what it printed. */
  run(env: Record<string, string>): Promise<string>;
}

const cache = resolve(import.meta.dirname, "../.cache/otel");
const folder = (language: string) => join(import.meta.dirname, "otel", language);
const node = join(cache, "node");
const python = join(cache, "python");
const goBinary = join(cache, "go-app");

export const OTEL_APPS = {
  node: {
    language: "Node",
    program: "npm",
    versionArgument: "--version",
    // Installed beside a copy: packages of another folder would be found by the tools that look through this one.
    async prepare() {
      cpSync(folder("node"), node, { recursive: true });
      return install("npm", { args: ["ci", "--no-audit", "--no-fund"], cwd: node, timeoutMs: INSTALL_TIMEOUT_MS });
    },
    run: (env) => run(process.execPath, { args: ["app.mjs"], cwd: node, env }),
  },
  python: {
    language: "Python",
    program: "python3",
    versionArgument: "--version",
    prepare: () => installPython(folder("python"), python),
    run: (env) => run(pythonOf(python), { args: ["app.py"], cwd: folder("python"), env }),
  },
  go: {
    language: "Go",
    program: "go",
    versionArgument: "version",
    prepare: () => buildGo(folder("go"), goBinary),
    run: (env) => run(goBinary, { args: [], cwd: cache, env }),
  },
} as const satisfies Record<string, OtelApp>;
