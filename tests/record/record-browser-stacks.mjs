// Records what the SDK in node_modules reports for the errors of browser-app/ in real browsers, and writes the events,
// trimmed of noise, to tests/fixtures/grouping/browsers/<browser>/<case>.json (readable names) and <case>.min.json
// (minified). No driver is needed: each page runs one case and goes on to the next by itself.
//
//   node tests/record/record-browser-stacks.mjs [chromium] [firefox] [webkit]
//
// Wanted: /usr/bin/chromium, firefox-esr, and WebKitGTK's MiniBrowser (package libwebkit2gtk-4.1-0) with xvfb-run.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const fixtures = join(root, "tests/fixtures/grouping/browsers");
const work = mkdtempSync(join(tmpdir(), "culprit-record-"));
/** The address that the fixtures show instead of the server's: they must not change with the port. */
const PUBLISHED_ORIGIN = "https://shop.example";
const GIVE_UP_AFTER_MS = 240_000;

const MINIBROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
const BROWSERS = {
  chromium: {
    version: () => execFileSync("/usr/bin/chromium", ["--version"]).toString().trim(),
    command: (url, profile) => [
      "/usr/bin/chromium",
      [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--no-first-run",
        `--user-data-dir=${profile}`,
        url,
      ],
    ],
  },
  firefox: {
    version: () => execFileSync("firefox-esr", ["--version"]).toString().trim(),
    command: (url, profile) => ["firefox-esr", ["--headless", "--no-remote", "--profile", profile, url]],
  },
  webkit: {
    version: () => {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg fills it in
      const [version] = execFileSync("dpkg-query", ["-W", "-f", "${Version}", "libwebkit2gtk-4.1-0"])
        .toString()
        .split("-");
      return `WebKitGTK ${version}`;
    },
    command: (url) => ["xvfb-run", ["-a", "dbus-run-session", "--", MINIBROWSER, "--private", url]],
  },
};

async function build(folder, minify) {
  const bundle = await rolldown({
    input: { shop: join(here, "browser-app/main.js"), settings: join(here, "browser-app/module-error.js") },
    cwd: root,
    platform: "browser",
    logLevel: "warn",
    treeshake: true,
  });
  const { output } = await bundle.write({
    dir: join(work, folder),
    format: "es",
    minify,
    entryFileNames: "assets/[name]-[hash].js",
    chunkFileNames: "assets/[name]-[hash].js",
  });
  await bundle.close();
  const entry = (name) => output.find((chunk) => chunk.isEntry && chunk.name === name).fileName;
  writeFileSync(
    join(work, folder, "index.html"),
    `<!doctype html><html><head><meta charset="utf-8"><title>shop</title></head><body><script type="module" src="/${folder}/${entry("shop")}"></script></body></html>`,
  );
  return `/${folder}/${entry("settings")}`;
}

/** The first event among the items of an envelope. */
function eventOf(envelope) {
  const lines = envelope.split("\n");
  for (let i = 1; i < lines.length - 1; i++) {
    if (lines[i].startsWith("{") && JSON.parse(lines[i]).type === "event") return JSON.parse(lines[i + 1]);
  }
  return null;
}

const toKebabCase = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Keeps what grouping and titles may look at. */
function trim(event, origin) {
  const { platform, level, message, logentry, exception, transaction, request, sdk } = event;
  const kept = {
    platform,
    level,
    message,
    logentry,
    exception,
    transaction,
    request: request && { url: `${PUBLISHED_ORIGIN}/`, headers: { "User-Agent": request.headers?.["User-Agent"] } },
    sdk: sdk && { name: sdk.name, version: sdk.version },
  };
  return `${JSON.stringify(kept, null, 1)
    .replaceAll(origin, PUBLISHED_ORIGIN)
    .replaceAll(/(plain|min)\/assets\//g, "assets/")}\n`;
}

async function record(browser, modules) {
  const { command, version } = BROWSERS[browser];
  const cases = readFileSync(join(here, "browser-app/shop.js"), "utf8")
    .matchAll(/^export function (\w+)/gm)
    .map((match) => match[1])
    .toArray();
  const queue = ["plain", "min"].flatMap((folder) => [...cases, "moduleError"].map((name) => ({ folder, name })));
  queue.push({ folder: "plain", name: "messages" });
  const seen = new Map();
  let at = 0;
  let finish;
  const finished = new Promise((resolveFinished) => {
    finish = resolveFinished;
  });
  let origin = "";
  const address = ({ folder, name }) =>
    `${origin}/${folder}/?case=${name}&module=${encodeURIComponent(modules[folder])}`;

  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const { pathname } = new URL(request.url, origin);
      if (pathname.startsWith("/api/")) {
        const event = eventOf(body);
        if (event) {
          const key = `${queue[at].folder} ${event.tags?.case}`;
          seen.set(key, [...(seen.get(key) ?? []), event]);
        }
        response.end("{}");
      } else if (pathname === "/messages") {
        seen.set("messages", JSON.parse(body));
        response.end();
      } else if (pathname === "/next") {
        at += 1;
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ next: at < queue.length ? address(queue[at]) : null }));
        if (at >= queue.length) finish();
      } else {
        const file = join(work, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
        if (!existsSync(file)) return response.writeHead(404).end();
        response.setHeader("content-type", extname(file) === ".html" ? "text/html" : "text/javascript");
        response.end(readFileSync(file));
      }
    });
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${server.address().port}`;

  const profile = join(work, `profile-${browser}`);
  mkdirSync(profile);
  const [program, args] = command(address(queue[0]), profile);
  const child = spawn(program, args, { stdio: "ignore", detached: true, env: { ...process.env, HOME: profile } });
  const timeout = setTimeout(finish, GIVE_UP_AFTER_MS);
  await finished;
  clearTimeout(timeout);
  try {
    process.kill(-child.pid, "SIGTERM");
  } catch {}
  server.closeAllConnections();
  server.close();

  const folder = join(fixtures, browser);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { folder: variant, name } of queue) {
    if (name === "messages") continue;
    const events = seen.get(`${variant} ${name}`) ?? [];
    if (events.length !== 1) console.log(`${browser}: ${variant} ${name} made ${events.length} events`);
    if (events[0])
      writeFileSync(
        join(folder, `${toKebabCase(name)}${variant === "min" ? ".min" : ""}.json`),
        trim(events[0], origin),
      );
  }
  if (seen.has("messages"))
    writeFileSync(join(folder, "messages.json"), `${JSON.stringify(seen.get("messages"), null, 1)}\n`);
  console.log(`${browser}: ${seen.size} of ${queue.length} recorded with ${version()}`);
}

const wanted = process.argv.slice(2);
try {
  const modules = { plain: await build("plain", false), min: await build("min", true) };
  for (const browser of wanted.length > 0 ? wanted : Object.keys(BROWSERS)) await record(browser, modules);
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 });
}
