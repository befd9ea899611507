import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Checkout, makeCheckout } from "../support/built-app.ts";
import { type ProgramResult, runToEnd } from "../support/run-to-end.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const APPS = join(import.meta.dirname, "apps");
const MODULES = resolve(import.meta.dirname, "../../node_modules");
const TIMEOUT_MS = 100_000;

/** The applications of `apps`, and what builds them. */
const BUILD_COMMANDS = {
  vite: [join(MODULES, "vite/bin/vite.js"), "build"],
  webpack: ["build.mjs"],
  esbuild: ["build.mjs"],
  "react-router": [join(MODULES, "@react-router/dev/bin.cjs"), "build"],
} as const;
export type PluginAppName = keyof typeof BUILD_COMMANDS;

/** What a build is told of Culprit: this, and nothing else. */
export interface BuildTarget {
  url: string;
  /** Null: its configuration names organization and project. */
  project: string | null;
  token: string;
}

/** An application in a checkout of its own. */
export interface PluginApp extends Disposable {
  folder: string;
  checkout: Checkout;
  /** In production, as a pipeline does: with nothing of this machine's environment but where programs and compiled code are. */
  build(target: BuildTarget, env?: Record<string, string>): Promise<ProgramResult>;
  /** Puts a file in the place of the application's own. */
  write(file: string, content: string): void;
  /** A Node program of the application, to its end. */
  run(args: readonly string[], env: Record<string, string>): Promise<ProgramResult>;
}

/** Packages whose next major is installed beside the one that the applications name, and what it is installed as. */
const NEXT_MAJOR = {
  "@sentry/node": "sentry-node-11",
  "@sentry/vite-plugin": "sentry-vite-plugin-11",
  "@sentry/webpack-plugin": "sentry-webpack-plugin-11",
  // A release of its own, beside that of the application as it is.
  "shop@2.1.0": "shop@11.0.0",
};

export function checkOutApp(name: PluginAppName, { isNextMajor = false } = {}): PluginApp {
  const temporary = makeTempFolder();
  const folder = temporary.path;
  cpSync(join(APPS, name), folder, { recursive: true });
  if (isNextMajor) nameNextMajor(folder);
  symlinkSync(MODULES, join(folder, "node_modules"));
  const checkout = makeCheckout(folder);
  // A bundler is compiled once for all builds.
  const { NODE_COMPILE_CACHE } = process.env;
  const run = (args: readonly string[], env: Record<string, string>) =>
    runToEnd(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, NODE_ENV: "production", NODE_COMPILE_CACHE, ...env },
      timeoutMs: TIMEOUT_MS,
    });
  return {
    folder,
    checkout,
    run,
    write(file, content) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), content);
    },
    build: ({ url, project, token }, env = {}) =>
      run(BUILD_COMMANDS[name], {
        SENTRY_URL: url,
        ...(project === null ? {} : { SENTRY_ORG: "default", SENTRY_PROJECT: project }),
        SENTRY_AUTH_TOKEN: token,
        NO_COLOR: "1",
        SENTRY_NO_PROGRESS_BAR: "1",
        ...env,
      }),
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

/** Lets the application import the next majors instead. Lines stay where they are. */
function nameNextMajor(folder: string): void {
  for (const file of globSync("**/*.{js,mjs,ts}", { cwd: folder })) {
    let text = readFileSync(join(folder, file), "utf8");
    for (const [name, installedAs] of Object.entries(NEXT_MAJOR)) text = text.replaceAll(name, installedAs);
    writeFileSync(join(folder, file), text);
  }
}

/** Where a text stands in the source of an application, as a frame says it. The text must be on one line only. */
export function findLine(app: PluginAppName, file: string, text: string): { lineNo: number; source: string } {
  const lines = readFileSync(join(APPS, app, file), "utf8").split("\n");
  const index = lines.findIndex((line) => line.includes(text));
  if (index === -1 || lines.findLastIndex((line) => line.includes(text)) !== index)
    throw new Error(`"${text}" is not on one line of ${app}/${file}`);
  return { lineNo: index + 1, source: lines[index] ?? "" };
}
