import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const EVENT_ID = "9ec79c33ec9942ab8353589fcb2e04dc";

/** Events that touch most of what the protocol knows, for clones that do not have the samples beside them. */
const OWN_EVENTS: Array<Record<string, unknown>> = [
  {
    event_id: EVENT_ID,
    timestamp: 1767000000.123,
    platform: "javascript",
    level: "error",
    release: "shop@1.2.3+4",
    environment: "production",
    exception: {
      values: [
        { type: "Error", value: "cause", mechanism: { type: "chained", exception_id: 1, parent_id: 0 } },
        {
          type: "TypeError",
          value: "x is not a function",
          mechanism: { type: "onerror", handled: false, exception_id: 0 },
          stacktrace: {
            frames: [
              {
                filename: "https://example.com/app.js?v=1",
                function: "HTMLButtonElement.<anonymous>",
                lineno: 12,
                colno: 3,
                in_app: true,
              },
              {
                abs_path: "/app/node_modules/lib/index.js",
                function: "call",
                lineno: 1,
                vars: { a: 1 },
                pre_context: ["a"],
                context_line: "b",
              },
            ],
          },
        },
      ],
    },
    breadcrumbs: { values: [{ timestamp: 1767000000, category: "fetch", data: { url: "/a", status_code: "200" } }] },
    request: {
      url: "https://example.com/a?b=c#d",
      headers: [
        ["Cookie", "a=b"],
        ["X", ["1", "2"]],
      ],
      data: { password: "x" },
    },
    user: { id: 17, email: "a@example.com", ip_address: "{{auto}}" },
    tags: [
      ["a", "b"],
      ["c", null],
    ],
    contexts: { trace: { trace_id: EVENT_ID, span_id: "a".repeat(16) }, os: { name: "Windows", version: "10" }, x: 3 },
    extra: { list: [1, 2, { three: 4 }] },
    sdk: { name: "sentry.javascript.browser", version: "9.0.0", packages: [{ name: "npm:x", version: "1" }] },
    debug_meta: { images: [{ type: "sourcemap", code_file: "https://example.com/app.js", debug_id: EVENT_ID }] },
  },
  {
    platform: "python",
    logentry: { message: "cannot load %s", params: ["/etc/hosts"] },
    logger: "root",
    fingerprint: ["{{ default }}", "extra"],
    modules: { django: "5.0" },
    threads: {
      values: [{ id: 1, crashed: true, stacktrace: { frames: [{ module: "a.b", function: "f", lineno: 3 }] } }],
    },
  },
  { message: "plain text", level: "warn" },
  {
    type: "csp",
    logger: "csp",
    csp: { effective_directive: "script-src", blocked_uri: "inline" },
    request: { url: "https://example.com/" },
  },
];

const SAMPLES = resolve(import.meta.dirname, "../../../shared/samples/events");

/** Our own events, and those of real SDKs where the samples lie beside the checkout. As JSON, to be parsed per case. */
export const EVENT_CORPUS: readonly string[] = [
  ...OWN_EVENTS.map((event) => JSON.stringify(event)),
  ...(existsSync(SAMPLES) ? readdirSync(SAMPLES) : [])
    .filter((file) => file.endsWith(".json"))
    .map((file) => readFileSync(join(SAMPLES, file), "utf8"))
    // Large ones say nothing more, and make every case slow.
    .filter((json) => json.length < 25_000)
    .map((json) => JSON.stringify(JSON.parse(json))),
];

const HEAD = `{"event_id":"${EVENT_ID}","sent_at":"2026-01-02T03:04:05.678Z","sdk":{"name":"a","version":"1"}}\n`;

/** Envelopes of every shape that SDKs send. */
export const ENVELOPE_CORPUS: readonly Buffer[] = [
  ...EVENT_CORPUS.map((json) => `${HEAD}{"type":"event"}\n${json}\n`),
  ...EVENT_CORPUS.slice(0, 4).map((json) => `{}\n{"type":"event","length":${Buffer.byteLength(json)}}\n${json}`),
  `${HEAD}{"type":"transaction"}\n{"type":"transaction","spans":[{}]}\n{"type":"profile","length":2}\n{}\n`,
  `${HEAD}{"type":"event"}\n{}\n{"type":"attachment","length":7,"filename":"a"}\na\n\0\n\xff{\n{"type":"attachment","length":0}\n\n`,
  `{}\r\n{"type":"session"}\r\n{"sid":"1"}\r\n\r\n{"type":"sessions"}\r\n{"aggregates":[]}\r\n`,
  `${HEAD}{"type":"log","item_count":2,"content_type":"application/vnd.sentry.items.log+json"}\n{"items":[{},{}]}\n`,
  `${HEAD}{"type":"span","item_count":1,"content_type":"application/vnd.sentry.items.span.v2+json"}\n{"items":[{}]}\n`,
  `{"dsn":"https://${"a".repeat(32)}@host/1"}\n{"type":"client_report"}\n{"discarded_events":[{"reason":"a","category":"error","quantity":1}]}\n`,
  `${HEAD}{"type":"replay_event"}\n{"type":"replay_event"}\n{"type":"replay_recording","length":20}\n{"segment_id":0}\nxyz\n\n`,
  `{}\n{"type":"check_in"}\n{"monitor_slug":"a","status":"ok"}\n{"type":"user_report"}\n{"event_id":"${EVENT_ID}"}\n{"type":"x"}\n{}`,
  `${HEAD}{"type":"raw_security"}\n{"csp-report":{"effective-directive":"img-src"}}\n{"type":"statsd"}\na:1|c\n`,
].map((text) => Buffer.from(text));
