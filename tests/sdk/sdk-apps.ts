import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildGo, INSTALL_TIMEOUT_MS, install, installPython, pythonOf, run } from "./run-toolchain.ts";

/** A small application of this folder that fails, and reports by the real SDK of its language. */
export interface SdkApp {
  language: string;
  /** What must be on the machine. */
  program: string;
  versionArgument: string;
  /** Null when the application can be run; else why its SDK could not be fetched. */
  prepare(): Promise<string | null>;
  run(env: { SENTRY_DSN: string }): Promise<unknown>;
}

/** What is built and installed for these applications; later runs find it again. */
const cache = resolve(import.meta.dirname, "../.cache/sdk");
const folder = (language: string) => join(import.meta.dirname, language);
const pythonFolder = join(cache, "python");
/** Has the SDK once `prepare` said so. */
export const PYTHON = pythonOf(pythonFolder);
const goBinary = join(cache, "go-app");
const rustTarget = join(cache, "rust");
const javaTarget = join(cache, "java");
/** Maven ends before what it compiles best would pay. */
const MAVEN_ENV = { MAVEN_OPTS: `${process.env.MAVEN_OPTS ?? ""} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC`.trim() };
const classpathFile = join(javaTarget, "classpath.txt");

export const SDK_APPS = {
  python: {
    language: "Python",
    program: "python3",
    versionArgument: "--version",
    prepare: () => installPython(folder("python"), pythonFolder),
    run: (env) => run(PYTHON, { args: ["app.py"], cwd: folder("python"), env }),
  },
  go: {
    language: "Go",
    program: "go",
    versionArgument: "version",
    prepare: () => buildGo(folder("go"), goBinary),
    run: (env) => run(goBinary, { args: [], cwd: cache, env }),
  },
  rust: {
    language: "Rust",
    program: "cargo",
    versionArgument: "--version",
    async prepare() {
      mkdirSync(cache, { recursive: true });
      const options = { cwd: folder("rust"), timeoutMs: INSTALL_TIMEOUT_MS };
      const problem = await install("cargo", { args: ["fetch", "--quiet", "--locked"], ...options });
      const build = ["build", "--quiet", "--locked", "--offline", "--target-dir", rustTarget];
      if (problem === null) await run("cargo", { args: build, ...options });
      return problem;
    },
    run: (env) => run(join(rustTarget, "debug", "culprit-sdk-test"), { args: [], cwd: cache, env }),
  },
  java: {
    language: "Java",
    program: "mvn",
    versionArgument: "--version",
    async prepare() {
      mkdirSync(javaTarget, { recursive: true });
      const options = { cwd: folder("java"), timeoutMs: INSTALL_TIMEOUT_MS };
      const resolveArgs = ["-q", "-B", "dependency:build-classpath", `-Dmdep.outputFile=${classpathFile}`];
      const problem = await install("mvn", { args: resolveArgs, ...options, env: MAVEN_ENV });
      const source = "src/main/java/Main.java";
      if (problem === null) await run("javac", { args: ["-cp", readJars(), "-d", javaTarget, source], ...options });
      return problem;
    },
    run: (env) => run("java", { args: ["-cp", `${readJars()}:${javaTarget}`, "Main"], cwd: javaTarget, env }),
  },
} as const satisfies Record<string, SdkApp>;

function readJars(): string {
  return readFileSync(classpathFile, "utf8").trim();
}
