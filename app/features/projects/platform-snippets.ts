import { JAVASCRIPT_SNIPPETS } from "./javascript-snippets.ts";
import { NATIVE_SNIPPETS } from "./native-snippets.ts";
import type { PlatformId } from "./platforms.ts";
import { RUNTIME_SNIPPETS } from "./runtime-snippets.ts";
import type { LogSnippet, Snippets } from "./snippets.ts";

const pip = (name: string) => {
  const quoted = name.includes("[") ? `"${name}"` : name;
  return [
    { label: "pip", code: `pip install ${quoted}` },
    { label: "uv", code: `uv add ${quoted}` },
  ];
};

/** Install steps for artifacts of the group `io.sentry`. */
const jvm = (...names: string[]) => [
  { label: "Gradle", code: names.map((name) => `implementation 'io.sentry:${name}:8.+'`).join("\n") },
  {
    label: "Maven",
    code: names
      .map(
        (name) => `<dependency>
  <groupId>io.sentry</groupId>
  <artifactId>${name}</artifactId>
  <version>[8,9)</version>
</dependency>`,
      )
      .join("\n"),
  },
];

const PYTHON_INIT = `import sentry_sdk

sentry_sdk.init(
    dsn="DSN",
    release="my-app@1.0.0",
    environment="production",
    traces_sample_rate=0.2,  # one trace in five
)`;

const PYTHON_LOGS: LogSnippet = {
  place: "In sentry_sdk.init; it sends what logging writes",
  option: "enable_logs=True,",
  call: `import logging

logging.getLogger("shop").warning("Hello, logs")`,
};

/** The start of `main`, which the snippet closes. */
const GO_INIT = `func main() {
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
	defer sentry.Flush(2 * time.Second)`;

const RUBY_LOGS: LogSnippet = {
  place: "In Sentry.init",
  option: "config.enable_logs = true",
  call: `Sentry.logger.info("Hello, logs")`,
};

export const SNIPPETS: Record<PlatformId, Snippets> = {
  ...JAVASCRIPT_SNIPPETS,
  ...RUNTIME_SNIPPETS,
  ...NATIVE_SNIPPETS,
  python: {
    install: pip("sentry-sdk"),
    files: [{ name: "main.py", code: PYTHON_INIT }],
    verify: "1 / 0",
    logs: PYTHON_LOGS,
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
    logs: PYTHON_LOGS,
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
    logs: PYTHON_LOGS,
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
    logs: PYTHON_LOGS,
  },
  "python-awslambda": {
    install: pip("sentry-sdk"),
    files: [
      {
        name: "handler.py",
        code: `import sentry_sdk
from sentry_sdk.integrations.aws_lambda import AwsLambdaIntegration

sentry_sdk.init(
    dsn="DSN",
    release="my-app@1.0.0",
    environment="production",
    traces_sample_rate=0.2,  # one trace in five
    integrations=[AwsLambdaIntegration(timeout_warning=True)],
)`,
      },
    ],
    verify: `def handler(event, context):\n    return 1 / 0`,
    logs: PYTHON_LOGS,
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

${GO_INIT}
}`,
      },
    ],
    verify: `sentry.CaptureException(errors.New("Hello, Culprit"))`,
    logs: {
      place: "After sentry.Init; go get github.com/getsentry/sentry-go/slog",
      option: `// import "context", "log/slog" and sentryslog "github.com/getsentry/sentry-go/slog"
slog.SetDefault(slog.New(sentryslog.Option{}.NewSentryHandler(context.Background())))`,
      call: `slog.Info("Hello, logs")`,
    },
  },
  "go-http": {
    install: [
      {
        label: "go",
        code: `go get github.com/getsentry/sentry-go
go get github.com/getsentry/sentry-go/slog`,
      },
    ],
    files: [
      {
        name: "main.go",
        code: `package main

import (
	"context"
	"log"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/getsentry/sentry-go"
	sentryhttp "github.com/getsentry/sentry-go/http"
	sentryslog "github.com/getsentry/sentry-go/slog"
)

${GO_INIT}

	// Log lines: on the console, and in Culprit with the trace of their request. NewMultiHandler needs Go 1.26
	slog.SetDefault(slog.New(slog.NewMultiHandler(
		slog.NewTextHandler(os.Stderr, nil),
		sentryslog.Option{}.NewSentryHandler(context.Background()),
	)))

	mux := http.NewServeMux()
	// your routes, which log with slog.InfoContext(r.Context(), …)

	handler := sentryhttp.New(sentryhttp.Options{Repanic: true}).Handle(mux)
	log.Print(http.ListenAndServe(":8080", handler))
}`,
      },
    ],
    verify: `mux.HandleFunc("GET /break-it", func(w http.ResponseWriter, r *http.Request) {
	panic(errors.New("Hello, Culprit"))
})`,
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
      {
        name: "With the crate tracing: cargo add sentry --features tracing",
        code: `use sentry::integrations::tracing::{LogLayer, SpanLayer};
use tracing_subscriber::{filter::LevelFilter, prelude::*};

tracing_subscriber::registry()
    .with(tracing_subscriber::fmt::layer())
    .with(SpanLayer::new().with_filter(LevelFilter::INFO))
    .with(LogLayer::new().with_filter(LevelFilter::INFO))
    .init();`,
      },
    ],
    verify: `panic!("Hello, Culprit");`,
  },
  java: {
    install: jvm("sentry"),
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
      options.addInAppInclude("com.example"); // your package: other frames are libraries
    });
  }
}`,
      },
    ],
    verify: `Sentry.captureException(new RuntimeException("Hello, Culprit"));`,
    logs: {
      place: "In Sentry.init",
      option: "options.getLogs().setEnabled(true);",
      call: `Sentry.logger().info("Hello, logs");`,
    },
  },
  "java-spring-boot": {
    install: [
      ...jvm("sentry-spring-boot-4-starter", "sentry-logback"),
      { label: "Spring Boot 3 has another starter", code: "io.sentry:sentry-spring-boot-starter-jakarta" },
    ],
    files: [
      {
        name: "src/main/resources/application.properties",
        code: `sentry.dsn=DSN
sentry.release=my-app@1.0.0
sentry.environment=production
# One trace in five
sentry.traces-sample-rate=0.2`,
      },
    ],
    verify: `@GetMapping("/break-it")
String breakIt() {
  throw new IllegalStateException("Hello, Culprit");
}`,
    logs: {
      place: "In application.properties; it sends what Logback writes",
      option: "sentry.logs.enabled=true",
      call: `LoggerFactory.getLogger("shop").warn("Hello, logs");`,
    },
  },
  "java-logback": {
    install: jvm("sentry-logback"),
    files: [
      {
        name: "src/main/resources/logback.xml",
        code: `<configuration>
  <appender name="SENTRY" class="io.sentry.logback.SentryAppender">
    <options>
      <dsn>DSN</dsn>
      <release>my-app@1.0.0</release>
      <environment>production</environment>
      <inAppInclude>com.example</inAppInclude> <!-- your package: other frames are libraries -->
    </options>
  </appender>

  <root level="info">
    <appender-ref ref="SENTRY" />
  </root>
</configuration>`,
      },
    ],
    verify: `LoggerFactory.getLogger("hello").error("Hello, Culprit", new RuntimeException("It broke"));`,
    logs: {
      place: "In <options>; it sends what Logback writes",
      option: "<logs><enabled>true</enabled></logs>",
      call: `LoggerFactory.getLogger("shop").warn("Hello, logs");`,
    },
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
    logs: {
      place: "In \\Sentry\\init",
      option: "'enable_logs' => true,",
      call: `\\Sentry\\logger()->info('Hello, logs');
\\Sentry\\logger()->flush(); // at the end`,
    },
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
    logs: {
      place: ".env; it sends what Log writes",
      option: `LOG_CHANNEL=stack
LOG_STACK=single,sentry_logs
SENTRY_ENABLE_LOGS=true`,
      call: `Log::info("Hello, logs");`,
    },
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
    logs: RUBY_LOGS,
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
    logs: RUBY_LOGS,
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
    logs: {
      place: "In SentrySdk.Init",
      option: "options.EnableLogs = true;",
      call: `SentrySdk.Logger.LogInfo("Hello, logs");`,
    },
  },
  "dotnet-aspnetcore": {
    install: [{ label: "dotnet", code: "dotnet add package Sentry.AspNetCore" }],
    files: [
      {
        name: "Program.cs",
        code: `var builder = WebApplication.CreateBuilder(args);

builder.WebHost.UseSentry(options =>
{
    options.Dsn = "DSN";
    options.Release = "my-app@1.0.0";
    options.Environment = "production";
    options.TracesSampleRate = 0.2; // one trace in five
});`,
      },
    ],
    verify: `app.MapGet("/break-it", string () => throw new InvalidOperationException("Hello, Culprit"));`,
    logs: {
      place: "In UseSentry; it sends what ILogger writes",
      option: "options.EnableLogs = true;",
      call: `app.Logger.LogWarning("Hello, logs");`,
    },
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
    logs: {
      place: "In SentryFlutter.init",
      option: "options.enableLogs = true;",
      call: `Sentry.logger.info('Hello, logs');`,
    },
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

/** The addresses that snippets contain. */
export interface ProjectAddresses {
  dsn: string;
  loader: string;
  tunnel: string;
}

/** Fills the project's addresses into the text of a snippet. */
export function withAddresses(code: string, { dsn, loader, tunnel }: ProjectAddresses): string {
  const { url, key } = toOtlpAddress(dsn);
  return code
    .replaceAll("OF_PROJECT_URL", url)
    .replaceAll("OF_PROJECT_KEY", key)
    .replaceAll("LOADER", loader)
    .replaceAll("TUNNEL", tunnel)
    .replaceAll(/\bDSN\b/g, (name, offset: number, whole: string) => (isOptionName(whole, offset) ? name : dsn));
}

/** The address and the key for a project's OTLP data. If no key is enabled, placeholders. */
function toOtlpAddress(dsn: string): { url: string; key: string } {
  if (!URL.canParse(dsn)) return { url: "https://culprit.example/api/1/integration/otlp", key: "KEY" };
  const { origin, username, pathname } = new URL(dsn);
  const [, prefix, projectId] = /^(.*)\/(\d+)$/.exec(pathname) ?? [];
  return { url: `${origin}${prefix ?? ""}/api/${projectId}/integration/otlp`, key: username };
}

/** Whether `DSN` is part of a setting's name, like `SENTRY_DSN=…`. Only the word on its own is a placeholder. */
function isOptionName(code: string, offset: number): boolean {
  return code[offset - 1] === "_" || code[offset + 3] === "_";
}
