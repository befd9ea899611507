import type { Random } from "./random.ts";
import { REQUEST_SHAPES, type Step } from "./request-shapes.ts";
import { type DemoProject, planOf, SDKS } from "./shop.ts";

/** One request through the shop: a trace, with a transaction in each project that it reaches. */
export interface DemoRequest {
  traceId: string;
  transactions: DemoTransaction[];
}

export interface DemoTransaction {
  project: DemoProject;
  name: string;
  spanId: string;
  startMs: number;
  endMs: number;
  /** The payload as the SDK would send it. */
  payload: Record<string, unknown>;
}

export interface RequestPlace {
  environment: string;
  release: string;
  user: { id: string; email: string } | null;
  /** The transaction in which something is thrown, if any. */
  failing: { project: DemoProject; name: string } | null;
}

interface Laid {
  step: Step;
  spanId: string;
  startMs: number;
  endMs: number;
  children: Laid[];
}

/** The server on which the new release is slow, and how many times slower its database answers there. */
const SLOW = { server: "orders-2", release: "shop@2.15.0", factor: 5 };
const SERVERS = ["orders-1", "orders-2", "orders-3"];

/** Picks one of the shapes, by their weights. */
export function pickShape(random: Random): Step {
  let left = random.next() * REQUEST_SHAPES.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, step } of REQUEST_SHAPES) {
    left -= weight;
    if (left < 0) return step;
  }
  return (REQUEST_SHAPES[0] as { step: Step }).step;
}

/** The shape in which a project has a transaction of this name. Null: there is none. */
export function findShape(project: DemoProject, name: string): Step | null {
  const has = (step: Step): boolean =>
    (step.project === project && step.name === name) || (step.children?.some(has) ?? false);
  return REQUEST_SHAPES.find(({ step }) => has(step))?.step ?? null;
}

/** Plays a shape once, beginning at `startMs`. */
export function planRequest(shape: Step, startMs: number, place: RequestPlace, random: Random): DemoRequest {
  const server = random.pick(SERVERS);
  const isSlow = server === SLOW.server && place.release === SLOW.release;
  const laid = layOut(shape, startMs, { random, dbFactor: isSlow ? SLOW.factor : 1 });
  const request: DemoRequest = { traceId: random.hex(32), transactions: [] };
  collect(laid, null, { request, place, server, random });
  return request;
}

function layOut(step: Step, startMs: number, how: { random: Random; dbFactor: number }): Laid {
  const own = how.random.between(...step.ownMs) * (step.op === "db" ? how.dbFactor : 1);
  const steps = (step.children ?? []).flatMap((child) => Array<Step>(child.times ?? 1).fill(child));
  const gap = own / (steps.length + 1);
  const children: Laid[] = [];
  let at = startMs + gap;
  let endMs = startMs + own;
  for (const each of steps) {
    const child = layOut(each, step.isParallel ? startMs + gap : at, how);
    children.push(child);
    at = child.endMs + gap;
    endMs = Math.max(endMs, at);
  }
  return { step, spanId: how.random.hex(16), startMs, endMs, children };
}

type Around = { request: DemoRequest; place: RequestPlace; server: string; random: Random };

function collect(laid: Laid, parentSpanId: string | null, around: Around): void {
  const { step, spanId, startMs, endMs } = laid;
  const { project } = step;
  if (project === undefined) return;
  const { request, place, server, random } = around;
  const isFailing = place.failing?.project === project && place.failing.name === step.name;
  const status = isFailing ? "internal_error" : "ok";
  const spans: Array<Record<string, unknown>> = [];
  const inner: Array<[Laid, string]> = [];
  const walk = (children: readonly Laid[], parent: string) => {
    for (const child of children) {
      if (child.step.project !== undefined) {
        inner.push([child, parent]);
        continue;
      }
      spans.push(toSpan(child, { traceId: request.traceId, parentSpanId: parent, user: place.user }));
      walk(child.children, child.spanId);
    }
  };
  walk(laid.children, spanId);
  const isBrowser = project === "web";
  const { platform, ...sdk } = SDKS[project];
  request.transactions.push({
    project,
    name: step.name,
    spanId,
    startMs,
    endMs,
    payload: {
      type: "transaction",
      event_id: random.hex(32),
      platform,
      sdk,
      transaction: step.name,
      transaction_info: { source: "route" },
      start_timestamp: startMs / 1000,
      timestamp: endMs / 1000,
      release: place.release,
      environment: place.environment,
      ...(!isBrowser && { server_name: server }),
      ...(place.user && { user: place.user }),
      ...(isBrowser && { measurements: toVitals(endMs - startMs, step.op, random) }),
      contexts: {
        trace: {
          trace_id: request.traceId,
          span_id: spanId,
          ...(parentSpanId && { parent_span_id: parentSpanId }),
          op: step.op,
          status,
          ...(step.op === "http.server" && {
            data: {
              "http.response.status_code": isFailing ? 500 : 200,
              roles: Number(place.user?.id) % 20 === 0 ? ["admin", "reader"] : ["reader"],
              ...(/cart|checkout/.test(step.name) && { "cart.items": Math.ceil(random.between(0, 60)) }),
            },
          }),
        },
        ...(isBrowser && { browser: { name: "Chrome", version: "142.0.0" }, os: { name: "macOS", version: "15.1" } }),
      },
      spans,
    },
  });
  for (const [child, parent] of inner) collect(child, parent, around);
}

function toSpan(
  { step, spanId, startMs, endMs }: Laid,
  { traceId, parentSpanId, user }: { traceId: string; parentSpanId: string; user: RequestPlace["user"] },
) {
  return {
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: parentSpanId,
    op: step.op,
    description: step.name,
    start_timestamp: startMs / 1000,
    timestamp: endMs / 1000,
    status: "ok",
    ...((step.data || user) && { data: { ...step.data, ...(user && { "customer.tier": planOf(user).tier }) } }),
  };
}

/** The web vitals that a browser measures for a page. After a navigation, it only measures the response to a click. */
function toVitals(durationMs: number, op: string, random: Random) {
  const millisecond = (value: number) => ({ value, unit: "millisecond" });
  const inp = millisecond(random.between(40, 260));
  if (op !== "pageload") return { inp };
  const lcp = durationMs * random.between(1.2, 3.5);
  return {
    inp,
    ttfb: millisecond(random.between(80, 500)),
    fcp: millisecond(lcp * 0.6),
    lcp: millisecond(lcp),
    cls: { value: random.next() ** 3 * 0.3, unit: "" },
  };
}
