import type { DemoRequest, DemoTransaction, RequestPlace } from "./plan-request.ts";
import type { Random } from "./random.ts";
import type { DemoProject } from "./shop.ts";

const SEVERITIES = { debug: 5, info: 9, warn: 13, error: 17 } as const;

interface Line {
  level: keyof typeof SEVERITIES;
  body: string;
  /** Place in the transaction, from its start (0) to its end (1). */
  share: number;
  attributes?: Readonly<Record<string, string | number>>;
}

/** The logs of a transaction, as one `log` item of the project. Null: it writes none. */
export function toLogItem(
  { traceId }: DemoRequest,
  { project, name, spanId, startMs, endMs }: DemoTransaction,
  { place, random }: { place: RequestPlace; random: Random },
): { lines: number; item: string } | null {
  const isFailing = place.failing?.project === project && place.failing.name === name;
  const lines = listLines(project, name, { isFailing, tookMs: endMs - startMs, random });
  if (lines.length === 0) return null;
  const items = lines.map(({ level, body, share, attributes = {} }) => ({
    timestamp: (startMs + share * (endMs - startMs)) / 1000,
    trace_id: traceId,
    span_id: spanId,
    level,
    severity_number: SEVERITIES[level],
    body,
    attributes: toTyped({
      "sentry.release": place.release,
      "sentry.environment": place.environment,
      "logger.name": toLogger(project, name),
      ...attributes,
    }),
  }));
  const header = { type: "log", item_count: items.length, content_type: "application/vnd.sentry.items.log+json" };
  return { lines: items.length, item: `${JSON.stringify(header)}\n${JSON.stringify({ items })}\n` };
}

function listLines(
  project: DemoProject,
  name: string,
  { isFailing, tookMs, random }: { isFailing: boolean; tookMs: number; random: Random },
): Line[] {
  if (project === "web") return isFailing ? [{ level: "error", body: `${name} could not be shown`, share: 0.9 }] : [];
  const order = Math.floor(random.between(81_000, 82_000));
  const ended: Line = isFailing
    ? { level: "error", body: `${name} failed`, share: 0.98, attributes: { "order.id": order } }
    : {
        level: "info",
        body: `${name} done in ${Math.round(tookMs)} ms`,
        share: 1,
        attributes: { "order.id": order, "duration.ms": Math.round(tookMs) },
      };
  const lines: Line[] = [{ level: "debug", body: `${name} begins`, share: 0, attributes: { "order.id": order } }];
  if (name === "/api/orders/checkout")
    lines.push({
      level: "info",
      body: `order ${order} is paid by card`,
      share: 0.7,
      attributes: { "payment.method": "card" },
    });
  if (name === "feeds.tasks.import_feed")
    lines.push({ level: "info", body: `offers.csv has ${Math.floor(random.between(400, 900))} rows`, share: 0.4 });
  if (tookMs > 900)
    lines.push({
      level: "warn",
      body: `${name} is slow`,
      share: 0.95,
      attributes: { "duration.ms": Math.round(tookMs) },
    });
  return [...lines, ended];
}

/** `billing.charges` for `POST /charges`. */
function toLogger(project: DemoProject, name: string): string {
  const [first = "main"] = name
    .replace(/^[A-Z]+ /, "")
    .split(/[/.]/)
    .filter((part) => part !== "" && part !== "api");
  return `${project}.${first}`;
}

function toTyped(attributes: Readonly<Record<string, string | number>>) {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [
      key,
      { value, type: typeof value === "number" ? "integer" : "string" },
    ]),
  );
}
