import { JS_LOGS, JS_OPTIONS, JS_THROW, npm, toInit, toInitFile } from "./javascript-parts.ts";
import type { PlatformId } from "./platforms.ts";
import type { Snippets } from "./snippets.ts";

export type RuntimeId = Extract<
  PlatformId,
  "bun" | "deno" | "node-cloudflare-workers" | "node-awslambda" | "node-gcpfunctions"
>;

/** The snippets of runtimes of JavaScript beside browsers and Node, and of services that run functions. */
export const RUNTIME_SNIPPETS: Record<RuntimeId, Snippets> = {
  bun: {
    install: [{ label: "bun", code: "bun add @sentry/bun" }],
    files: [
      toInitFile("instrument.ts", "@sentry/bun"),
      { name: "Start it with", code: "bun --preload ./instrument.ts index.ts" },
    ],
    verify: JS_THROW,
    logs: JS_LOGS,
  },
  deno: {
    install: [{ label: "deno", code: "deno add npm:@sentry/deno" }],
    files: [
      {
        name: "main.ts, before all others",
        code: toInit("@sentry/deno"),
      },
      { name: "Start it with", code: "deno run --allow-net --allow-env --allow-read --allow-sys main.ts" },
    ],
    verify: JS_THROW,
    logs: JS_LOGS,
  },
  "node-cloudflare-workers": {
    install: npm("@sentry/cloudflare"),
    files: [
      {
        name: "wrangler.jsonc",
        code: `{
  "compatibility_flags": ["nodejs_compat"]
}`,
      },
      {
        name: "src/index.ts",
        code: `import * as Sentry from "@sentry/cloudflare";

export default Sentry.withSentry(
  () => ({
    dsn: "DSN",
    release: "my-app@1.0.0",
    environment: "production",
    tracesSampleRate: 0.2, // one trace in five
  }),
  {
    async fetch(request, env, ctx) {
      // your worker; scheduled and queue work in the same way
      return new Response("Hello");
    },
  },
);`,
      },
    ],
    verify: `throw new Error("Hello, Culprit"); // in fetch`,
    logs: { ...JS_LOGS, place: "Beside the DSN" },
  },
  "node-awslambda": {
    install: npm("@sentry/aws-serverless"),
    files: [
      toInitFile("instrument.mjs", "@sentry/aws-serverless"),
      { name: "Environment of the function", code: `NODE_OPTIONS="--import ./instrument.mjs"` },
    ],
    verify: `export async function handler() {\n  throw new Error("Hello, Culprit");\n}`,
    logs: JS_LOGS,
  },
  "node-gcpfunctions": {
    install: npm("@sentry/google-cloud-serverless"),
    files: [
      {
        name: "index.js",
        code: `const Sentry = require("@sentry/google-cloud-serverless");

Sentry.init({
  dsn: "DSN",
  ${JS_OPTIONS}
});

// After Sentry.init
const functions = require("@google-cloud/functions-framework");

functions.http(
  "hello",
  Sentry.wrapHttpFunction((request, response) => {
    response.send("Hello");
  }),
);

// Others: Sentry.wrapCloudEventFunction, Sentry.wrapEventFunction`,
      },
    ],
    verify: `throw new Error("Hello, Culprit"); // in a wrapped function`,
    logs: JS_LOGS,
  },
};
