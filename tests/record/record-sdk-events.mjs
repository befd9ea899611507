// Records the error events that real SDKs send, for tests/fixtures/events: runs the applications of tests/sdk against a
// sink and writes each event's payload. See tests/fixtures/events/README.md.
//
//   node tests/record/record-sdk-events.mjs

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnvelope } from "../../app/protocol/parse-envelope.ts";
import { openBrowser } from "../sdk/open-browser.ts";
import { hasProgram, run } from "../sdk/run-toolchain.ts";
import { SDK_APPS } from "../sdk/sdk-apps.ts";
import { serveBrowserApp } from "../sdk/serve-browser-app.ts";
import { openEnvelopeSink } from "./envelope-sink.mjs";
import { trimEvent } from "./trim-event.mjs";

const sdkFolder = resolve(import.meta.dirname, "../sdk");
const target = resolve(import.meta.dirname, "../fixtures/events");

const sink = await openEnvelopeSink();
const browser = await openBrowser();
try {
  await record("node", () =>
    // It ends by an error that nobody catches.
    run(process.execPath, {
      args: [join(sdkFolder, "node-app", "app.mjs")],
      cwd: sdkFolder,
      env: { SENTRY_DSN: sink.dsn },
    }).catch(() => {}),
  );
  for (const [name, app] of Object.entries(SDK_APPS)) {
    if (!hasProgram(app.program, app.versionArgument)) {
      console.log(`${name}: kept as it was, there is no ${app.program}`);
      continue;
    }
    const problem = await app.prepare();
    if (problem !== null) throw new Error(`${name}: ${problem}`);
    await record(name, () => app.run({ SENTRY_DSN: sink.dsn }));
  }
  await record("browser", () => clickThrough("plain.js", ["#message", "#fail", "#reject"]));
  await record("react", () => clickThrough("react.js", ["#handler", "#open"]));
  await record("react-router", () => clickThrough("react-router.js", ["#fail"]));
} finally {
  await browser[Symbol.asyncDispose]();
  await sink.close();
}

/** Writes what the application sends, in place of what it sent when it was recorded last. */
async function record(name, runApp) {
  sink.take();
  await runApp();
  const events = sink
    .take()
    .flatMap((body) => parseEnvelope(body).items)
    .filter(({ header }) => header.type === "event")
    .map(({ payload }) => JSON.parse(Buffer.from(payload).toString("utf8")));
  if (events.length === 0) throw new Error(`${name} sent no event`);
  mkdirSync(target, { recursive: true });
  for (const file of readdirSync(target)) {
    if (new RegExp(`^${name}-\\d+\\.json$`).test(file)) rmSync(join(target, file));
  }
  events.forEach((event, at) => {
    const file = `${name}-${at + 1}.json`;
    writeFileSync(join(target, file), `${JSON.stringify(trimEvent(event, file), null, 1)}\n`);
    // Go's SDK sends the list where others send an object with it.
    const exceptions = Array.isArray(event.exception) ? event.exception : event.exception?.values;
    const { type, value } = exceptions?.at(-1) ?? {};
    console.log(`${file}: ${event.sdk?.name} ${event.sdk?.version}, ${type ? `${type}: ${value}` : "a message"}`);
  });
}

async function clickThrough(entry, selectors) {
  const app = await serveBrowserApp(entry);
  try {
    const { page } = await browser.openPage(sink.url);
    await page.goto(app.pageUrl({ dsn: sink.dsn }));
    for (const selector of selectors) await page.click(selector);
    await page.evaluate(() => window.sdk.flush());
  } finally {
    await app[Symbol.asyncDispose]();
  }
}
