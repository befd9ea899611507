/** A platform that a project can be made for, and how an SDK is pointed at Culprit there. */
export interface Platform {
  /** The `platform` value of Sentry's projects, like `python-django`. */
  id: string;
  label: string;
  /** Which mark stands for it: several platforms share one. */
  family: "javascript" | "node" | "python" | "go" | "rust" | "java" | "php" | "ruby" | "dotnet" | "other";
  /** Ways of installing the SDK; null where nothing is installed. */
  install: Array<{ label: string; code: string }>;
  /** Files to write, in order. `DSN` stands for the project's DSN. */
  files: Array<{ name: string; code: string }>;
  /** Code that throws, to see the first event arrive. */
  verify: string;
}

const npm = (name: string) => [
  { label: "npm", code: `npm install ${name}` },
  { label: "yarn", code: `yarn add ${name}` },
  { label: "pnpm", code: `pnpm add ${name}` },
];

export const PLATFORMS: readonly Platform[] = [
  {
    id: "javascript",
    label: "Browser JavaScript",
    family: "javascript",
    install: npm("@sentry/browser"),
    files: [
      {
        name: "main.js",
        code: `import * as Sentry from "@sentry/browser";

Sentry.init({
  dsn: "DSN",
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 1.0,
});`,
      },
    ],
    verify: `setTimeout(() => {\n  throw new Error("Hello, Culprit");\n});`,
  },
  {
    id: "javascript-react",
    label: "React",
    family: "javascript",
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
  tracesSampleRate: 1.0,
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
  {
    id: "javascript-react-router",
    label: "React Router",
    family: "javascript",
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
  tracesSampleRate: 1.0,
});

startTransition(() => {
  hydrateRoot(document, <HydratedRouter onError={Sentry.sentryOnError} />);
});`,
      },
      {
        name: "instrument.server.mjs",
        code: `import * as Sentry from "@sentry/react-router";

Sentry.init({ dsn: "DSN", tracesSampleRate: 1.0 });`,
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
  "start": "NODE_OPTIONS='--import ./instrument.server.mjs' react-router-serve ./build/server/index.js"
}`,
      },
    ],
    verify: `export function loader() {\n  throw new Error("Hello, Culprit");\n}`,
  },
  {
    id: "javascript-nextjs",
    label: "Next.js",
    family: "javascript",
    install: npm("@sentry/nextjs"),
    files: [
      {
        name: "instrumentation-client.ts",
        code: `import * as Sentry from "@sentry/nextjs";

Sentry.init({ dsn: "DSN", tracesSampleRate: 1.0 });

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart;`,
      },
      {
        name: "instrumentation.ts",
        code: `import * as Sentry from "@sentry/nextjs";

export function register() {
  Sentry.init({ dsn: "DSN", tracesSampleRate: 1.0 });
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
  {
    id: "node",
    label: "Node.js",
    family: "node",
    install: npm("@sentry/node"),
    files: [
      {
        name: "instrument.mjs",
        code: `import * as Sentry from "@sentry/node";

Sentry.init({ dsn: "DSN", tracesSampleRate: 1.0 });`,
      },
      { name: "Start it with", code: "node --import ./instrument.mjs app.mjs" },
    ],
    verify: `setTimeout(() => {\n  throw new Error("Hello, Culprit");\n});`,
  },
  {
    id: "python",
    label: "Python",
    family: "python",
    install: [
      { label: "pip", code: "pip install sentry-sdk" },
      { label: "uv", code: "uv add sentry-sdk" },
    ],
    files: [
      {
        name: "main.py",
        code: `import sentry_sdk

sentry_sdk.init(
    dsn="DSN",
    traces_sample_rate=1.0,
)`,
      },
    ],
    verify: "1 / 0",
  },
  {
    id: "python-django",
    label: "Django",
    family: "python",
    install: [
      { label: "pip", code: 'pip install "sentry-sdk[django]"' },
      { label: "uv", code: 'uv add "sentry-sdk[django]"' },
    ],
    files: [
      {
        name: "settings.py",
        code: `import sentry_sdk

sentry_sdk.init(
    dsn="DSN",
    traces_sample_rate=1.0,
    send_default_pii=True,
)`,
      },
    ],
    verify: `from django.urls import path

def break_it(request):
    return 1 / 0

urlpatterns = [path("break-it/", break_it)]`,
  },
  {
    id: "go",
    label: "Go",
    family: "go",
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
		EnableTracing:    true,
		TracesSampleRate: 1.0,
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
  {
    id: "rust",
    label: "Rust",
    family: "rust",
    install: [{ label: "cargo", code: "cargo add sentry" }],
    files: [
      {
        name: "src/main.rs",
        code: `fn main() {
    let _guard = sentry::init((
        "DSN",
        sentry::ClientOptions::new()
            .maybe_release(sentry::release_name!())
            .traces_sample_rate(1.0),
    ));
}`,
      },
    ],
    verify: `panic!("Hello, Culprit");`,
  },
  {
    id: "java",
    label: "Java",
    family: "java",
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
      options.setTracesSampleRate(1.0);
    });
  }
}`,
      },
    ],
    verify: `Sentry.captureException(new RuntimeException("Hello, Culprit"));`,
  },
  {
    id: "php",
    label: "PHP",
    family: "php",
    install: [{ label: "composer", code: "composer require sentry/sentry" }],
    files: [
      {
        name: "index.php",
        code: `<?php
require __DIR__ . '/vendor/autoload.php';

\\Sentry\\init([
    'dsn' => 'DSN',
    'traces_sample_rate' => 1.0,
]);`,
      },
    ],
    verify: `throw new RuntimeException('Hello, Culprit');`,
  },
  {
    id: "php-laravel",
    label: "Laravel",
    family: "php",
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
      { name: ".env", code: `SENTRY_LARAVEL_DSN=DSN\nSENTRY_TRACES_SAMPLE_RATE=1.0` },
    ],
    verify: "php artisan sentry:test",
  },
  {
    id: "ruby",
    label: "Ruby",
    family: "ruby",
    install: [{ label: "bundler", code: "bundle add sentry-ruby" }],
    files: [
      {
        name: "app.rb",
        code: `require "sentry-ruby"

Sentry.init do |config|
  config.dsn = "DSN"
  config.traces_sample_rate = 1.0
end`,
      },
    ],
    verify: `begin
  1 / 0
rescue ZeroDivisionError => error
  Sentry.capture_exception(error)
end`,
  },
  {
    id: "ruby-rails",
    label: "Rails",
    family: "ruby",
    install: [{ label: "bundler", code: "bundle add sentry-ruby sentry-rails" }],
    files: [
      {
        name: "config/initializers/sentry.rb",
        code: `Sentry.init do |config|
  config.dsn = "DSN"
  config.breadcrumbs_logger = [:active_support_logger, :http_logger]
  config.traces_sample_rate = 1.0
end`,
      },
    ],
    verify: `Sentry.capture_message("Hello, Culprit")`,
  },
  {
    id: "dotnet",
    label: ".NET",
    family: "dotnet",
    install: [{ label: "dotnet", code: "dotnet add package Sentry" }],
    files: [
      {
        name: "Program.cs",
        code: `SentrySdk.Init(options =>
{
    options.Dsn = "DSN";
    options.TracesSampleRate = 1.0;
});`,
      },
    ],
    verify: `SentrySdk.CaptureException(new InvalidOperationException("Hello, Culprit"));`,
  },
  {
    id: "other",
    label: "Something else",
    family: "other",
    install: [],
    files: [
      {
        name: "Any SDK that speaks the Sentry protocol takes the DSN",
        code: "export SENTRY_DSN=DSN",
      },
    ],
    verify: `npx @sentry/cli send-event -m "Hello, Culprit"`,
  },
];

/** The platform of that id; what is not known is shown as `other`. */
export function toPlatform(id: string): Platform {
  const known = PLATFORMS.find((platform) => platform.id === id);
  return known ?? (PLATFORMS.at(-1) as Platform);
}

/** Snippet text with the project's DSN in it. */
export function withDsn(code: string, dsn: string): string {
  return code.replaceAll(/\bDSN\b/g, (name, offset: number, whole: string) =>
    isOptionName(whole, offset) ? name : dsn,
  );
}

/** `SENTRY_DSN=…` names the setting; only the stand-alone word is the value. */
function isOptionName(code: string, offset: number): boolean {
  return code[offset - 1] === "_" || code[offset + 3] === "_";
}
