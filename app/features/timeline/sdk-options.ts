/** The SDK options that send the data of the lanes. */
export interface SdkOptions {
  tracing: string;
  logs: string | null;
  replay: string | null;
}

const JAVASCRIPT: SdkOptions = { tracing: "tracesSampleRate: 1.0", logs: "enableLogs: true", replay: null };

/** Options by the platform of an event, as SDKs send it. */
const OPTIONS: Readonly<Record<string, SdkOptions>> = {
  javascript: { ...JAVASCRIPT, replay: "replaysOnErrorSampleRate: 1.0" },
  node: JAVASCRIPT,
  python: { tracing: "traces_sample_rate=1.0", logs: "enable_logs=True", replay: null },
  ruby: { tracing: "config.traces_sample_rate = 1.0", logs: "config.enable_logs = true", replay: null },
  php: { tracing: "'traces_sample_rate' => 1.0", logs: "'enable_logs' => true", replay: null },
  go: {
    tracing: "EnableTracing: true, TracesSampleRate: 1.0",
    logs: "sentryslog.Option{}.NewSentryHandler(ctx)",
    replay: null,
  },
  java: { tracing: "options.setTracesSampleRate(1.0)", logs: "options.getLogs().setEnabled(true)", replay: null },
  csharp: { tracing: "options.TracesSampleRate = 1.0", logs: "options.EnableLogs = true", replay: null },
  rust: { tracing: ".traces_sample_rate(1.0)", logs: "sentry::integrations::tracing::LogLayer::new()", replay: null },
};

/** The options of a platform. Platforms without their own get those of JavaScript. */
export function toSdkOptions(platform: string): SdkOptions {
  return Object.hasOwn(OPTIONS, platform) ? (OPTIONS[platform] as SdkOptions) : JAVASCRIPT;
}
