import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { afterAll, describe, expect, test } from "vitest";
import { makeTempFolder } from "../tests/support/temp-folder.ts";
import {
  ConfigError,
  fileVariables,
  readConfig,
  readMemoryBytes,
  renderConfigTable,
  VARIABLES,
} from "./config.server.ts";
import { GIB, MIB } from "./domain/bytes.ts";
import routes from "./routes.ts";

const at = { mode: "production", isTerminal: false, workingFolder: "/srv/culprit", memoryBytes: 4 * GIB } as const;

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, at);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe("readConfig", () => {
  test("works with nothing set", () => {
    const config = readConfig({}, at);
    expect(config.server).toMatchObject({ port: 3000, host: null, publicUrl: null, trustProxy: false });
    expect(config.dataDir).toBe("/srv/culprit/data");
    expect(config.monitoring).toMatchObject({ tunnelPath: "/monitoring", environment: "production" });
  });

  test("takes a blank variable for an unset one, and never for 0", () => {
    expect(readConfig({ PORT: "", RETENTION_DAYS: "  " }, at)).toEqual(readConfig({}, at));
  });

  test("cannot be changed, nor can its parts", () => {
    const config = readConfig({}, at);
    expect(() => Object.assign(config.server, { port: 1 })).toThrow(TypeError);
    expect(() => config.server.metricsTokens.push("x")).toThrow(TypeError);
  });

  test("names every problem at once, with what it got and what it wants", () => {
    expect(problemsOf({ PORT: "http", TRUST_PROXY: "yes", RETENTION_DAYS: "0" })).toEqual([
      'PORT is "http", and wants a whole number from 0 to 65535',
      'TRUST_PROXY is "yes", and wants 1 or 0',
      'RETENTION_DAYS is "0", and wants a whole number from 1 to 3650',
    ]);
  });

  test("never repeats a secret that is wrong", () => {
    const problems = problemsOf({ CULPRIT_ADMIN: "sesame", CULPRIT_TOKEN: "open sesame" });
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain("sesame");
  });

  test("believes no proxy unless its addresses are named, and takes no range that has everybody", () => {
    expect(readConfig({ PROXY_USER_HEADER: "X-User" }, at).signIn.byProxy).toBeNull();
    const byProxy = readConfig({ PROXY_SIGN_IN_FROM: "127.0.0.1, fd00::/8", PROXY_USER_HEADER: "X-User" }, at).signIn
      .byProxy;
    expect(byProxy).toEqual({
      from: ["127.0.0.1", "fd00::/8"],
      headers: { user: "x-user", email: "remote-email", name: "remote-name", groups: "remote-groups" },
      signOutUrl: null,
    });
    for (const PROXY_SIGN_IN_FROM of ["0.0.0.0/0", "::/0", "proxy", "10.0.0.0/33", "10.0.0.1,"])
      expect(problemsOf({ PROXY_SIGN_IN_FROM })).toHaveLength(1);
    for (const PROXY_USER_HEADER of ["Cookie", "authorization", "X-Forwarded-For", "Remote_User", "a b"])
      expect(problemsOf({ PROXY_USER_HEADER })).toHaveLength(1);
    expect(problemsOf({ PROXY_SIGN_OUT_URL: "javascript:alert(1)" })).toHaveLength(1);
  });

  describe("secrets in files", () => {
    const folder = makeTempFolder();
    afterAll(() => folder[Symbol.dispose]());
    let count = 0;
    const inFile = (text: string | Buffer) => {
      const path = join(folder.path, `secret-${count++}`);
      writeFileSync(path, text);
      return path;
    };

    test("take the file's text without the newline at its end", () => {
      const config = readConfig(
        { CULPRIT_ADMIN_FILE: inFile("ada@example.com:open sesame\n"), METRICS_TOKEN_FILE: inFile("abc\r\n") },
        at,
      );
      expect(config.firstStart.admin).toEqual({ email: "ada@example.com", password: "open sesame" });
      expect(config.server.metricsTokens).toEqual(["abc"]);
      expect(config.unknownVariables).toEqual([]);
    });

    test("are refused beside the variable itself", () => {
      expect(problemsOf({ CULPRIT_TOKEN: "abc", CULPRIT_TOKEN_FILE: inFile("abc") })).toEqual([
        "CULPRIT_TOKEN and CULPRIT_TOKEN_FILE are both set: set one of them",
      ]);
    });

    test("name variable and file when the file cannot be read, is empty or too large", () => {
      const [missing = ""] = problemsOf({ SMTP_URL_FILE: "/nowhere/secret", MAIL_FROM: "" });
      expect(missing).toContain("SMTP_URL_FILE names /nowhere/secret, and the file cannot be read: ENOENT");
      expect(problemsOf({ CULPRIT_TOKEN_FILE: tmpdir() })[0]).toContain("cannot be read: EISDIR");
      expect(problemsOf({ CULPRIT_TOKEN_FILE: inFile("\n") })[0]).toMatch(/is empty$/);
      expect(problemsOf({ CULPRIT_TOKEN_FILE: "/dev/zero" })[0]).toContain("larger than 64 KiB");
    });

    test("are never repeated when they are wrong, and the file is named", () => {
      const path = inFile("open sesame");
      const [problem = ""] = problemsOf({ CULPRIT_TOKEN_FILE: path });
      expect(problem).toContain(path);
      expect(problem).not.toContain("sesame");
    });

    test("exist for every secret, and for nothing else", () => {
      const secrets = Object.entries(VARIABLES).filter(([, { isSecret }]) => isSecret);
      expect(fileVariables()).toEqual(secrets.map(([name]) => `${name}_FILE`));
      expect(readConfig({ CULPRIT_PROJECT_FILE: "/nowhere" }, at).unknownVariables).toEqual(["CULPRIT_PROJECT_FILE"]);
      for (const name of fileVariables())
        expect(readFileSync("docs/configuration.md", "utf8")).toContain(`\`${name}\``);
    });
  });

  test("splits the owner at the first colon, because passwords hold colons", () => {
    const { firstStart } = readConfig({ CULPRIT_ADMIN: "Ada@Example.com:open:sesame" }, at);
    expect(firstStart.admin).toEqual({ email: "ada@example.com", password: "open:sesame" });
  });

  test("refuses the slug of the built-in project", () => {
    expect(problemsOf({ CULPRIT_ADMIN: "a@b.c:12345678", CULPRIT_PROJECT: "culprit" })).toHaveLength(1);
  });

  test("reads bytes with and without a unit", () => {
    const read = (text: string) => readConfig({ MIN_FREE_DISK_BYTES: text }, at).journal.minFreeDiskBytes;
    expect(read("1048576")).toBe(1_048_576);
    expect(read("1MiB")).toBe(1_048_576);
    expect(read("0.5 gib")).toBe(536_870_912);
    expect(problemsOf({ MIN_FREE_DISK_BYTES: "1 MB" })).toHaveLength(1);
  });

  test("reads the days of signals, and takes RETENTION_DAYS for the others", () => {
    const read = (text: string) => readConfig({ RETENTION_DAYS: "30", SIGNAL_RETENTION_DAYS: text }, at).retention;
    expect(read("")).toMatchObject({ days: 30, signalDays: { errors: 30, replays: 30 } });
    expect(read("replays=7, check-ins = 365").signalDays).toMatchObject({ errors: 30, replays: 7, "check-ins": 365 });
    for (const text of [
      "replay=7",
      "replays",
      "replays=0",
      "replays=3651",
      "replays=7,replays=8",
      "replays=7,",
      "=7",
    ]) {
      expect(problemsOf({ SIGNAL_RETENTION_DAYS: text })).toHaveLength(1);
    }
  });

  test("takes no limit of the data folder that an empty one or an envelope would exceed", () => {
    const read = (text: string) => readConfig({ MAX_DISK_BYTES: text }, at).storage.maxBytes;
    expect([read(""), read("2GiB")]).toEqual([null, 2_147_483_648]);
    expect(problemsOf({ MAX_DISK_BYTES: "1MiB", MAX_ENVELOPE_BYTES: "1MiB" })).toEqual([
      'MAX_DISK_BYTES is "1MiB", and wants bytes, at least 64MiB, like 1048576 or 1MiB',
    ]);
    expect(problemsOf({ MAX_DISK_BYTES: "64MiB" })).toEqual([
      "MAX_DISK_BYTES is smaller than MAX_ENVELOPE_BYTES, and such an envelope could not be stored",
    ]);
  });

  test("refuses an envelope limit that could never be reached", () => {
    expect(problemsOf({ MAX_ENVELOPE_BYTES: "64MiB", MAX_IN_FLIGHT_BYTES: "32MiB" })).toHaveLength(1);
  });

  test("refuses a token that no header could bring", () => {
    for (const text of ["two words", "t\u00f6ken", "a\u0000b"])
      expect(problemsOf({ CULPRIT_TOKEN: text })).toEqual([
        "CULPRIT_TOKEN holds something else than a token of ASCII characters without blanks",
      ]);
    expect(readConfig({ METRICS_TOKEN: "s3cret-~!+/=" }, at).server.metricsTokens).toEqual(["s3cret-~!+/="]);
  });

  test("drops the slash at the end of the public URL, and keeps a path", () => {
    expect(readConfig({ PUBLIC_URL: "https://errors.example.com/" }, at).server.publicUrl).toBe(
      "https://errors.example.com",
    );
    expect(readConfig({ PUBLIC_URL: "https://example.com/culprit/" }, at).server.publicUrl).toBe(
      "https://example.com/culprit",
    );
    expect(problemsOf({ PUBLIC_URL: "errors.example.com" })).toHaveLength(1);
  });

  test("gives the event store no less memory than searches need in a flood of long rows", () => {
    expect(problemsOf({ EVENTS_MEMORY_BYTES: "64MiB" })).toEqual([
      'EVENTS_MEMORY_BYTES is "64MiB", and wants bytes, at least 128MiB, like 1048576 or 1MiB',
    ]);
    expect(readConfig({ EVENTS_MEMORY_BYTES: "128MiB" }, at).stores.eventsMemoryBytes).toBe(134_217_728);
  });

  test("refuses to hold more in memory than there is, and starts a small machine with the defaults", () => {
    expect(problemsOf({ EVENTS_MEMORY_BYTES: "8000TiB", MAX_IN_FLIGHT_BYTES: "5 GiB" })).toEqual([
      'MAX_IN_FLIGHT_BYTES is "5 GiB", and this machine or container has 4.0 GiB of memory',
      'EVENTS_MEMORY_BYTES is "8000TiB", and this machine or container has 4.0 GiB of memory',
    ]);
    expect(problemsOf({ EVENTS_MEMORY_BYTES: "4GiB" })).toEqual([]);
    expect(readConfig({}, { ...at, memoryBytes: 100 * MIB }).stores.eventsMemoryBytes).toBe(128 * MIB);
    expect(readMemoryBytes()).toBeGreaterThan(100 * MIB);
    expect(readMemoryBytes()).toBeLessThan(8_000 * 1024 * GIB);
  });

  test("has no mail where nothing is to be sent", () => {
    const mail = { SMTP_URL: "smtp://mail.example.com", MAIL_FROM: "a@example.com" };
    expect(readConfig(mail, at).notifications).toMatchObject({ mail: { from: "a@example.com" }, sendsNothing: false });
    expect(readConfig({ ...mail, SEND_NOTHING: "1" }, at).notifications).toMatchObject({
      mail: null,
      sendsNothing: true,
    });
  });

  test("keeps the tunnel off paths that mean something else", () => {
    expect(problemsOf({ SENTRY_TUNNEL_PATH: "/api/1/envelope" })).toHaveLength(1);
    expect(problemsOf({ SENTRY_TUNNEL_PATH: "/issues" })).toHaveLength(1);
    expect(problemsOf({ SENTRY_TUNNEL_PATH: "monitoring" })).toHaveLength(1);
    expect(readConfig({ SENTRY_TUNNEL_PATH: "/own" }, at).monitoring.tunnelPath).toBe("/own");
    expect(readConfig({ TUNNEL_PATHS: "/a/, /b/c" }, at).neutralPaths).toEqual(["/a", "/b/c"]);
    for (const text of ["t", "/", "/issues/", "/a b", "/a,", "/api/1/envelope", `${"/x,".repeat(8)}/x`]) {
      expect(problemsOf({ TUNNEL_PATHS: text })).toHaveLength(1);
    }
    expect(problemsOf({ SENTRY_TUNNEL_PATH: "/t" })).toEqual([
      "TUNNEL_PATHS and SENTRY_TUNNEL_PATH both name /t: give each its own path",
    ]);
  });

  test("keeps the tunnel off every page and endpoint that there is", () => {
    const toFirst = (path: string) => `/${path.split("/")[0]}`;
    const listPaths = (entries: readonly RouteConfigEntry[]): string[] =>
      entries.flatMap(({ path, children }) => (path === undefined ? listPaths(children ?? []) : [toFirst(path)]));
    const pages = listPaths(routes as RouteConfigEntry[]).filter((path) => path !== "/*");
    expect(pages).toContain("/issues");
    for (const path of [...pages, "/healthz", "/readyz", "/metrics", "/v1/traces", "/js-sdk-loader"]) {
      expect([path, problemsOf({ TUNNEL_PATHS: path }).length]).toEqual([path, 1]);
      expect([path, problemsOf({ SENTRY_TUNNEL_PATH: path }).length]).toEqual([path, 1]);
    }
  });

  test("notices names that are most likely mistyped", () => {
    expect(readConfig({ CULPRIT_ADMIM: "x", PATH: "/bin" }, at).unknownVariables).toEqual(["CULPRIT_ADMIM"]);
  });

  test("writes text at a terminal and JSON elsewhere, unless told", () => {
    expect(readConfig({}, { ...at, isTerminal: true }).log.format).toBe("text");
    expect(readConfig({}, at).log.format).toBe("json");
    expect(readConfig({ LOG_FORMAT: "text" }, at).log.format).toBe("text");
  });
});

describe("the configuration table", () => {
  test("has a line with values, default and reason for every variable", () => {
    const lines = renderConfigTable().split("\n").slice(2);
    expect(lines).toHaveLength(Object.keys(VARIABLES).length);
    for (const line of lines) expect(line.split(" | ").filter((cell) => cell.trim() !== "")).toHaveLength(5);
  });

  test("stands in docs/configuration.md as the code makes it", () => {
    expect(readFileSync("docs/configuration.md", "utf8")).toContain(renderConfigTable());
  });
});
