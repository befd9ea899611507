import { JS_LOGS, JS_OPTIONS, JS_THROW, npm, toInit, toInitFile } from "./javascript-parts.ts";
import type { PlatformId } from "./platforms.ts";
import type { RuntimeId } from "./runtime-snippets.ts";
import type { Snippets } from "./snippets.ts";

const NODE_INSTRUMENT = toInitFile("instrument.mjs", "@sentry/node");

const NODE_START = { name: "Start it with", code: "node --import ./instrument.mjs app.mjs" };

type JavaScriptId = Exclude<Extract<PlatformId, `${"javascript" | "node"}${string}` | "react-native">, RuntimeId>;

/** The snippets of browsers and Node. */
export const JAVASCRIPT_SNIPPETS: Record<JavaScriptId, Snippets> = {
  javascript: {
    isBrowser: true,
    install: npm("@sentry/browser"),
    files: [
      {
        name: "main.js",
        code: `import * as Sentry from "@sentry/browser";

Sentry.init({
  dsn: "DSN",
  integrations: [Sentry.browserTracingIntegration()],
  ${JS_OPTIONS}
});`,
      },
    ],
    verify: JS_THROW,
    logs: JS_LOGS,
  },
  "javascript-script": {
    install: [],
    files: [
      {
        name: "First in the <head> of each page",
        code: `<script>
  window.sentryOnLoad = () =>
    Sentry.init({ release: "my-app@1.0.0", environment: "production" });
</script>
<script src="LOADER" crossorigin="anonymous"></script>`,
      },
      { name: "What the script does by itself", code: `Sentry.init({ dsn: "DSN", tunnel: "TUNNEL" });` },
    ],
    verify: `<script>throw new Error("Hello, Culprit");</script>`,
    logs: JS_LOGS,
  },
  "javascript-react": {
    isBrowser: true,
    install: npm("@sentry/react"),
    files: [
      {
        name: "main.jsx",
        code: `import * as Sentry from "@sentry/react";
import { createRoot } from "react-dom/client";
import App from "./App";

Sentry.init({
  dsn: "DSN",
  integrations: [Sentry.browserTracingIntegration()],
  ${JS_OPTIONS}
});

createRoot(document.getElementById("root"), {
  onUncaughtError: Sentry.reactErrorHandler(),
  onCaughtError: Sentry.reactErrorHandler(),
  onRecoverableError: Sentry.reactErrorHandler(),
}).render(<App />);`,
      },
    ],
    verify: `<button onClick={() => { throw new Error("Hello, Culprit"); }}>Break it</button>`,
    logs: JS_LOGS,
  },
  "javascript-react-router": {
    isBrowser: true,
    install: npm("@sentry/react-router"),
    files: [
      {
        name: "app/entry.client.tsx",
        code: `import * as Sentry from "@sentry/react-router";
import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

Sentry.init({
  dsn: "DSN",
  integrations: [Sentry.reactRouterTracingIntegration()],
  ${JS_OPTIONS}
});

startTransition(() => {
  hydrateRoot(document, <HydratedRouter onError={Sentry.sentryOnError} />);
});`,
      },
      {
        name: "instrument.server.mjs",
        code: `import * as Sentry from "@sentry/react-router";

Sentry.init({
  dsn: "DSN",
  ${JS_OPTIONS}
});`,
      },
      {
        name: "app/entry.server.tsx",
        code: `import * as Sentry from "@sentry/react-router";
import { createReadableStreamFromReadable } from "@react-router/node";
import { renderToPipeableStream } from "react-dom/server";
import { ServerRouter } from "react-router";

export default Sentry.createSentryHandleRequest({
  ServerRouter,
  renderToPipeableStream,
  createReadableStreamFromReadable,
});

export const handleError = Sentry.createSentryHandleError({ logErrors: true });`,
      },
      {
        name: "package.json",
        code: `"scripts": {
  "start": "NODE_ENV=production NODE_OPTIONS='--import ./instrument.server.mjs' react-router-serve ./build/server/index.js"
}`,
      },
    ],
    verify: `export function loader() {\n  throw new Error("Hello, Culprit");\n}`,
    logs: JS_LOGS,
  },
  "javascript-nextjs": {
    isBrowser: true,
    install: npm("@sentry/nextjs"),
    files: [
      {
        name: "instrumentation-client.ts",
        code: `import * as Sentry from "@sentry/nextjs";

Sentry.init({
  dsn: "DSN",
  ${JS_OPTIONS}
});

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart;`,
      },
      {
        name: "instrumentation.ts",
        code: `import * as Sentry from "@sentry/nextjs";

export function register() {
  Sentry.init({
    dsn: "DSN",
    release: "my-app@1.0.0",
    environment: "production",
    tracesSampleRate: 0.2, // one trace in five
  });
}

export const onRequestError = Sentry.captureRequestError;`,
      },
      {
        name: "next.config.ts",
        code: `import { withSentryConfig } from "@sentry/nextjs/config";

export default withSentryConfig({ /* your config */ }, { silent: true });`,
      },
    ],
    verify: `export default function Page() {\n  throw new Error("Hello, Culprit");\n}`,
    logs: JS_LOGS,
  },
  "javascript-vue": {
    isBrowser: true,
    install: npm("@sentry/vue"),
    files: [
      {
        name: "main.js",
        code: `import { createApp } from "vue";
import * as Sentry from "@sentry/vue";
import App from "./App.vue";
import router from "./router";

const app = createApp(App);

Sentry.init({
  app,
  dsn: "DSN",
  integrations: [Sentry.browserTracingIntegration({ router })],
  ${JS_OPTIONS}
});

app.use(router).mount("#app");`,
      },
    ],
    verify: `<button @click="() => { throw new Error('Hello, Culprit'); }">Break it</button>`,
    logs: JS_LOGS,
  },
  "javascript-angular": {
    isBrowser: true,
    install: npm("@sentry/angular"),
    files: [
      {
        name: "main.ts",
        code: `import { bootstrapApplication } from "@angular/platform-browser";
import * as Sentry from "@sentry/angular";
import { AppComponent } from "./app/app.component";
import { appConfig } from "./app/app.config";

Sentry.init({
  dsn: "DSN",
  integrations: [Sentry.browserTracingIntegration()],
  ${JS_OPTIONS}
});

bootstrapApplication(AppComponent, appConfig).catch((error) => console.error(error));`,
      },
      {
        name: "app/app.config.ts",
        code: `import { ApplicationConfig, ErrorHandler, inject, provideAppInitializer } from "@angular/core";
import { Router } from "@angular/router";
import * as Sentry from "@sentry/angular";

const appConfig: ApplicationConfig = {
  providers: [
    { provide: ErrorHandler, useValue: Sentry.createErrorHandler() },
    { provide: Sentry.TraceService, deps: [Router] },
    provideAppInitializer(() => {
      inject(Sentry.TraceService);
    }),
    // your providers
  ],
};`,
      },
    ],
    verify: `throwError() {\n  throw new Error("Hello, Culprit");\n}`,
    logs: JS_LOGS,
  },
  "javascript-svelte": {
    isBrowser: true,
    install: npm("@sentry/svelte"),
    files: [
      {
        name: "main.js",
        code: `import * as Sentry from "@sentry/svelte";
import { mount } from "svelte";
import App from "./App.svelte";

Sentry.init({
  dsn: "DSN",
  integrations: [Sentry.browserTracingIntegration()],
  ${JS_OPTIONS}
});

export default mount(App, { target: document.getElementById("app") });`,
      },
    ],
    verify: `<button onclick={() => { throw new Error("Hello, Culprit"); }}>Break it</button>`,
    logs: JS_LOGS,
  },
  "javascript-nuxt": {
    isBrowser: true,
    install: npm("@sentry/nuxt"),
    files: [
      {
        name: "nuxt.config.ts",
        code: `export default defineNuxtConfig({
  modules: ["@sentry/nuxt/module"],
});`,
      },
      toInitFile("sentry.client.config.ts", "@sentry/nuxt"),
      toInitFile("sentry.server.config.ts", "@sentry/nuxt"),
      {
        name: "Start it with",
        code: "node --import ./.output/server/sentry.server.config.mjs .output/server/index.mjs",
      },
    ],
    verify: `export default defineEventHandler(() => {\n  throw new Error("Hello, Culprit");\n});`,
    logs: JS_LOGS,
  },
  "javascript-sveltekit": {
    isBrowser: true,
    install: npm("@sentry/sveltekit"),
    files: [
      {
        name: "src/hooks.client.js",
        code: `${toInit("@sentry/sveltekit")}

export const handleError = Sentry.handleErrorWithSentry();`,
      },
      toInitFile("src/instrumentation.server.js", "@sentry/sveltekit"),
      {
        name: "src/hooks.server.js",
        code: `import * as Sentry from "@sentry/sveltekit";

export const handle = Sentry.sentryHandle();
export const handleError = Sentry.handleErrorWithSentry();`,
      },
      {
        name: "svelte.config.js",
        code: `export default {
  kit: {
    // your adapter
    experimental: { instrumentation: { server: true }, tracing: { server: true } },
  },
};`,
      },
    ],
    verify: `export function load() {\n  throw new Error("Hello, Culprit");\n}`,
    logs: JS_LOGS,
  },
  "javascript-astro": {
    isBrowser: true,
    install: npm("@sentry/astro"),
    files: [
      {
        name: "astro.config.mjs",
        code: `import sentry from "@sentry/astro";
import { defineConfig } from "astro/config";

export default defineConfig({
  integrations: [sentry()],
});`,
      },
      toInitFile("sentry.client.config.js", "@sentry/astro"),
      toInitFile("sentry.server.config.js", "@sentry/astro"),
    ],
    verify: `---\nthrow new Error("Hello, Culprit");\n---`,
    logs: JS_LOGS,
  },
  "react-native": {
    install: npm("@sentry/react-native"),
    files: [
      {
        name: "App.tsx",
        code: `import * as Sentry from "@sentry/react-native";

Sentry.init({
  dsn: "DSN",
  environment: "production",
  tracesSampleRate: 0.2, // one trace in five; the release is that of the app
});

export default Sentry.wrap(App);`,
      },
      { name: "iOS only, once", code: "npx pod-install" },
    ],
    verify: `<Button title="Break it" onPress={() => { throw new Error("Hello, Culprit"); }} />`,
    logs: JS_LOGS,
  },
  node: {
    install: npm("@sentry/node"),
    files: [NODE_INSTRUMENT, NODE_START],
    verify: JS_THROW,
    logs: JS_LOGS,
  },
  "node-express": {
    install: npm("@sentry/node"),
    files: [
      NODE_INSTRUMENT,
      {
        name: "app.mjs",
        code: `import * as Sentry from "@sentry/node";
import express from "express";

const app = express();

// your routes

// After all routes, before other error handlers
Sentry.setupExpressErrorHandler(app);

app.listen(3000);`,
      },
      NODE_START,
    ],
    verify: `app.get("/break-it", () => {\n  throw new Error("Hello, Culprit");\n});`,
    logs: JS_LOGS,
  },
  "node-nestjs": {
    install: npm("@sentry/nestjs"),
    files: [
      toInitFile("src/instrument.ts", "@sentry/nestjs"),
      {
        name: "src/main.ts",
        code: `import "./instrument"; // before all others

import { NestFactory } from "@nestjs/core";
import { AppModule } from "./app.module";

// your bootstrap`,
      },
      {
        name: "src/app.module.ts",
        code: `import { Module } from "@nestjs/common";
import { APP_FILTER } from "@nestjs/core";
import { SentryGlobalFilter, SentryModule } from "@sentry/nestjs/setup";

@Module({
  imports: [SentryModule.forRoot()],
  providers: [
    // Before other filters
    { provide: APP_FILTER, useClass: SentryGlobalFilter },
  ],
})
export class AppModule {}`,
      },
    ],
    verify: `@Get("break-it")\nbreakIt() {\n  throw new Error("Hello, Culprit");\n}`,
    logs: JS_LOGS,
  },
  "node-hono": {
    install: npm("@sentry/hono @sentry/node"),
    files: [
      toInitFile("instrument.mjs", "@sentry/hono/node"),
      {
        name: "app.mjs",
        code: `import { serve } from "@hono/node-server";
import { sentry } from "@sentry/hono/node";
import { Hono } from "hono";

const app = new Hono();

// Before all routes
app.use(sentry(app));

// your routes

serve(app);`,
      },
      NODE_START,
    ],
    verify: `app.get("/break-it", () => {\n  throw new Error("Hello, Culprit");\n});`,
    logs: JS_LOGS,
  },
};
