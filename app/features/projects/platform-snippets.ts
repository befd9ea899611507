import type { PlatformId } from "./platforms.ts";

/**
 * How an SDK is pointed at Culprit. In code, `DSN`, `LOADER` and `TUNNEL` stand for the project's DSN, the address of its loader
 * script, and the neutral path of this server; `OF_PROJECT_URL` and `OF_PROJECT_KEY` for what exporters of OpenTelemetry need.
 */
export interface Snippets {
  /** Ways of installing the SDK; none where nothing is installed. */
  install: Array<{ label: string; code: string }>;
  /** Files to write, in order. */
  files: Array<{ name: string; code: string }>;
  /** Code that throws, to see the first event arrive. */
  verify: string;
  /** Whether content blockers can stop its reports: then the neutral path is shown, too. */
  isBrowser?: boolean;
}

const npm = (name: string) => [
  { label: "npm", code: `npm install ${name}` },
  { label: "yarn", code: `yarn add ${name}` },
  { label: "pnpm", code: `pnpm add ${name}` },
];

const pip = (name: string) => {
  const quoted = name.includes("[") ? `"${name}"` : name;
  return [
    { label: "pip", code: `pip install ${quoted}` },
    { label: "uv", code: `uv add ${quoted}` },
  ];
};

/** Options of `Sentry.init` in JavaScript, indented like its others. */
const JS_OPTIONS = `release: "my-app@1.0.0",
  environment: "production",
  tracesSampleRate: 0.2, // one trace in five`;

const NODE_INSTRUMENT = {
  name: "instrument.mjs",
  code: `import * as Sentry from "@sentry/node";

Sentry.init({
  dsn: "DSN",
  ${JS_OPTIONS}
});`,
};

const NODE_START = { name: "Start it with", code: "node --import ./instrument.mjs app.mjs" };

const JS_THROW = `setTimeout(() => {\n  throw new Error("Hello, Culprit");\n});`;

const PYTHON_INIT = `import sentry_sdk

sentry_sdk.init(
    dsn="DSN",
    release="my-app@1.0.0",
    environment="production",
    traces_sample_rate=0.2,  # one trace in five
)`;

export const SNIPPETS: Record<PlatformId, Snippets> = {
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
        code: `import { withSentryConfig } from "@sentry/nextjs";

export default withSentryConfig({ /* your config */ }, { silent: true });`,
      },
    ],
    verify: `export default function Page() {\n  throw new Error("Hello, Culprit");\n}`,
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
  },
  node: {
    install: npm("@sentry/node"),
    files: [NODE_INSTRUMENT, NODE_START],
    verify: JS_THROW,
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
  },
  python: {
    install: pip("sentry-sdk"),
    files: [{ name: "main.py", code: PYTHON_INIT }],
    verify: "1 / 0",
  },
  "python-django": {
    install: pip("sentry-sdk[django]"),
    files: [
      {
        name: "settings.py",
        code: `import sentry_sdk

sentry_sdk.init(
    dsn="DSN",
    release="my-app@1.0.0",
    environment="production",
    traces_sample_rate=0.2,  # one trace in five
    send_default_pii=True,
)`,
      },
    ],
    verify: `from django.urls import path

def break_it(request):
    return 1 / 0

urlpatterns = [path("break-it/", break_it)]`,
  },
  "python-fastapi": {
    install: pip("sentry-sdk[fastapi]"),
    files: [
      {
        name: "main.py",
        code: `${PYTHON_INIT}

from fastapi import FastAPI

app = FastAPI()`,
      },
    ],
    verify: `@app.get("/break-it")\nasync def break_it():\n    return 1 / 0`,
  },
  "python-flask": {
    install: pip("sentry-sdk[flask]"),
    files: [
      {
        name: "app.py",
        code: `${PYTHON_INIT}

from flask import Flask

app = Flask(__name__)`,
      },
    ],
    verify: `@app.route("/break-it")\ndef break_it():\n    return str(1 / 0)`,
  },
  go: {
    install: [{ label: "go", code: "go get github.com/getsentry/sentry-go" }],
    files: [
      {
        name: "main.go",
        code: `package main

import (
	"log"
	"time"

	"github.com/getsentry/sentry-go"
)

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:              "DSN",
		Release:          "my-app@1.0.0",
		Environment:      "production",
		EnableTracing:    true,
		TracesSampleRate: 0.2, // one trace in five
	})
	if err != nil {
		log.Fatalf("sentry.Init: %s", err)
	}
	defer sentry.Flush(2 * time.Second)
}`,
      },
    ],
    verify: `sentry.CaptureException(errors.New("Hello, Culprit"))`,
  },
  rust: {
    install: [{ label: "cargo", code: "cargo add sentry" }],
    files: [
      {
        name: "src/main.rs",
        code: `fn main() {
    let _guard = sentry::init((
        "DSN",
        sentry::ClientOptions::new()
            .maybe_release(sentry::release_name!())
            .environment("production")
            .traces_sample_rate(0.2), // one trace in five
    ));
}`,
      },
    ],
    verify: `panic!("Hello, Culprit");`,
  },
  java: {
    install: [
      { label: "Gradle", code: "implementation 'io.sentry:sentry:8.+'" },
      {
        label: "Maven",
        code: `<dependency>
  <groupId>io.sentry</groupId>
  <artifactId>sentry</artifactId>
  <version>[8,9)</version>
</dependency>`,
      },
    ],
    files: [
      {
        name: "Main.java",
        code: `import io.sentry.Sentry;

public class Main {
  public static void main(String[] args) {
    Sentry.init(options -> {
      options.setDsn("DSN");
      options.setRelease("my-app@1.0.0");
      options.setEnvironment("production");
      options.setTracesSampleRate(0.2); // one trace in five
    });
  }
}`,
      },
    ],
    verify: `Sentry.captureException(new RuntimeException("Hello, Culprit"));`,
  },
  php: {
    install: [{ label: "composer", code: "composer require sentry/sentry" }],
    files: [
      {
        name: "index.php",
        code: `<?php
require __DIR__ . '/vendor/autoload.php';

\\Sentry\\init([
    'dsn' => 'DSN',
    'release' => 'my-app@1.0.0',
    'environment' => 'production',
    'traces_sample_rate' => 0.2, // one trace in five
]);`,
      },
    ],
    verify: `throw new RuntimeException('Hello, Culprit');`,
  },
  "php-laravel": {
    install: [{ label: "composer", code: "composer require sentry/sentry-laravel" }],
    files: [
      {
        name: "bootstrap/app.php",
        code: `use Sentry\\Laravel\\Integration;

return Application::configure(basePath: dirname(__DIR__))
    ->withExceptions(function (Exceptions $exceptions) {
        Integration::handles($exceptions);
    })->create();`,
      },
      {
        name: ".env",
        code: `SENTRY_LARAVEL_DSN=DSN
SENTRY_RELEASE=my-app@1.0.0
SENTRY_ENVIRONMENT=production
SENTRY_TRACES_SAMPLE_RATE=0.2`,
      },
    ],
    verify: "php artisan sentry:test",
  },
  ruby: {
    install: [{ label: "bundler", code: "bundle add sentry-ruby" }],
    files: [
      {
        name: "app.rb",
        code: `require "sentry-ruby"

Sentry.init do |config|
  config.dsn = "DSN"
  config.release = "my-app@1.0.0"
  config.environment = "production"
  config.traces_sample_rate = 0.2 # one trace in five
end`,
      },
    ],
    verify: `begin
  1 / 0
rescue ZeroDivisionError => error
  Sentry.capture_exception(error)
end`,
  },
  "ruby-rails": {
    install: [{ label: "bundler", code: "bundle add sentry-ruby sentry-rails" }],
    files: [
      {
        name: "config/initializers/sentry.rb",
        code: `Sentry.init do |config|
  config.dsn = "DSN"
  config.release = "my-app@1.0.0"
  config.environment = Rails.env
  config.breadcrumbs_logger = [:active_support_logger, :http_logger]
  config.traces_sample_rate = 0.2 # one trace in five
end`,
      },
    ],
    verify: `Sentry.capture_message("Hello, Culprit")`,
  },
  dotnet: {
    install: [{ label: "dotnet", code: "dotnet add package Sentry" }],
    files: [
      {
        name: "Program.cs",
        code: `SentrySdk.Init(options =>
{
    options.Dsn = "DSN";
    options.Release = "my-app@1.0.0";
    options.Environment = "production";
    options.TracesSampleRate = 0.2; // one trace in five
});`,
      },
    ],
    verify: `SentrySdk.CaptureException(new InvalidOperationException("Hello, Culprit"));`,
  },
  flutter: {
    install: [{ label: "flutter", code: "flutter pub add sentry_flutter" }],
    files: [
      {
        name: "lib/main.dart",
        code: `import 'package:flutter/widgets.dart';
import 'package:sentry_flutter/sentry_flutter.dart';

Future<void> main() async {
  await SentryFlutter.init(
    (options) {
      options.dsn = 'DSN';
      options.environment = 'production';
      options.tracesSampleRate = 0.2; // one trace in five; the release is that of the app
    },
    appRunner: () => runApp(SentryWidget(child: MyApp())),
  );
}`,
      },
    ],
    verify: `throw StateError('Hello, Culprit');`,
  },
  opentelemetry: {
    install: [],
    files: [
      {
        name: "Environment of any SDK of OpenTelemetry",
        code: `export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_ENDPOINT=OF_PROJECT_URL
export OTEL_EXPORTER_OTLP_HEADERS="x-sentry-auth=sentry sentry_key=OF_PROJECT_KEY"
export OTEL_SERVICE_NAME=my-app
export OTEL_RESOURCE_ATTRIBUTES=service.version=my-app@1.0.0,deployment.environment.name=production # release and environment`,
      },
      {
        name: "Collector: HTTP only, there is no gRPC",
        code: `exporters:
  otlphttp:
    endpoint: OF_PROJECT_URL
    headers:
      x-sentry-auth: sentry sentry_key=OF_PROJECT_KEY`,
      },
    ],
    verify: `curl OF_PROJECT_URL/v1/logs -H 'content-type: application/json' \\
  -H 'x-sentry-auth: sentry sentry_key=OF_PROJECT_KEY' -d '{"resourceLogs": [{"scopeLogs": [{"logRecords": [{
    "timeUnixNano": "'$(date +%s)'000000000", "severityNumber": 17, "attributes": [
      {"key": "exception.type", "value": {"stringValue": "HelloError"}},
      {"key": "exception.message", "value": {"stringValue": "Hello, Culprit"}}]}]}]}]}'`,
  },
  other: {
    install: [],
    files: [
      {
        name: "Any SDK that speaks the Sentry protocol takes these",
        code: `export SENTRY_DSN=DSN
export SENTRY_RELEASE=my-app@1.0.0
export SENTRY_ENVIRONMENT=production`,
      },
    ],
    verify: `npx @sentry/cli send-event -m "Hello, Culprit"`,
  },
};

/** The addresses that snippets name. */
export interface ProjectAddresses {
  dsn: string;
  loader: string;
  tunnel: string;
}

/** Snippet text with the project's addresses in it. */
export function withAddresses(code: string, { dsn, loader, tunnel }: ProjectAddresses): string {
  const { url, key } = toOtlpAddress(dsn);
  return code
    .replaceAll("OF_PROJECT_URL", url)
    .replaceAll("OF_PROJECT_KEY", key)
    .replaceAll("LOADER", loader)
    .replaceAll("TUNNEL", tunnel)
    .replaceAll(/\bDSN\b/g, (name, offset: number, whole: string) => (isOptionName(whole, offset) ? name : dsn));
}

/** Where OTLP of a project goes, and with which key; words in their place where no key is enabled. */
function toOtlpAddress(dsn: string): { url: string; key: string } {
  if (!URL.canParse(dsn)) return { url: "https://culprit.example/api/1/integration/otlp", key: "KEY" };
  const { origin, username, pathname } = new URL(dsn);
  const [, prefix, projectId] = /^(.*)\/(\d+)$/.exec(pathname) ?? [];
  return { url: `${origin}${prefix ?? ""}/api/${projectId}/integration/otlp`, key: username };
}

/** `SENTRY_DSN=…` names the setting; only the stand-alone word is the value. */
function isOptionName(code: string, offset: number): boolean {
  return code[offset - 1] === "_" || code[offset + 3] === "_";
}
