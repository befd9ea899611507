import { setTimeout as pause } from "node:timers/promises";
import type { Engine } from "../../app/access/engine.ts";
import { scopeOfServer } from "../../app/access/server-scope.ts";
import { draftFirstRule } from "../../app/domain/alerts/first-rule.ts";
import { DAY_MS, HOUR_MS } from "../../app/domain/time.ts";
import { listCheckInItems } from "./check-ins.ts";
import { ERROR_SCENARIOS, type ErrorScenario } from "./error-scenarios.ts";
import { listFeedback } from "./feedback.ts";
import { toLogItem } from "./logs.ts";
import { addPeople, addReleases, workOnIssues } from "./people.ts";
import { type DemoRequest, findShape, pickShape, planRequest, type RequestPlace } from "./plan-request.ts";
import { createRandom, type Random } from "./random.ts";
import { listSessionItems } from "./sessions.ts";
import { type DemoProject, PROJECTS, pickCustomer, placeAt, planOf } from "./shop.ts";

/** The number of envelopes that wait for the disk together. */
const SENT_AT_ONCE = 50;
/** Requests in which nothing is thrown: of the last day, and of the days before it. */
const REQUESTS_TODAY = 1_200;
const REQUESTS_BEFORE = 800;
const DAYS = 14;
/** A digest of all of it takes some seconds; a machine in use by others takes longer. */
const MAX_WAIT_MS = 120_000;

interface Sent {
  at: number;
  project: DemoProject;
  envelope: string;
}

export interface DemoCounts {
  errors: number;
  transactions: number;
  lines: number;
}

/**
 * Makes the projects, the people and the releases of the shop, and sends the data of its SDKs, oldest first. Every item is stored like a
 * late one.
 * @throws when something is refused.
 */
export async function fillDemo(engine: Engine, now: number): Promise<DemoCounts> {
  const random = createRandom(7);
  const { keys, projectIds } = await addProjects(engine, now);
  const people = await addPeople(engine, projectIds, now - DAYS * DAY_MS);
  await addReleases(engine, projectIds, now);

  const sent: Sent[] = [];
  const counts = { errors: 0, transactions: 0, lines: 0 };
  const thrownOn = new Map<string, string>();
  for (const scenario of ERROR_SCENARIOS)
    for (let index = 0; index < scenario.count; index++) {
      const at = toInstant(scenario, index, now, random);
      const { request, place, event } = toError(scenario, at, { now, random });
      sent.push({ at, project: scenario.project, envelope: toEnvelope(event.event_id, "event", event) });
      counts.errors += 1;
      if (request !== null) addRequest(request, place);
      if (typeof scenario.event.transaction === "string") thrownOn.set(scenario.event.transaction, event.event_id);
    }
  for (let index = 0; index < REQUESTS_TODAY + REQUESTS_BEFORE; index++) {
    const isToday = index < REQUESTS_TODAY;
    const at = isToday ? now - random.between(0.01, 1) * DAY_MS : now - random.between(1, DAYS) * DAY_MS;
    const place = { ...placeAt(at, now, random), user: pickCustomer(random), failing: null };
    addRequest(planRequest(pickShape(random), at, place, random), place);
  }
  for (const { at, item } of listFeedback(now, random, (path) => thrownOn.get(path) ?? null))
    sent.push({ at, project: "web", envelope: `${JSON.stringify({ sent_at: new Date(now) })}\n${item}` });
  for (const item of listSessionItems(now, random)) sent.push({ at: now, project: "web", envelope: `{}\n${item}` });
  for (const item of listCheckInItems(random)) sent.push({ at: now, project: "billing", envelope: `{}\n${item}` });

  sent.sort((one, other) => one.at - other.at);
  for (let start = 0; start < sent.length; start += SENT_AT_ONCE)
    await Promise.all(
      sent.slice(start, start + SENT_AT_ONCE).map(async ({ project, envelope }) => {
        const accepted = await engine.acceptEnvelope(keys.get(project) ?? "", Buffer.from(envelope));
        if (!accepted.ok) throw new Error(`an item of the demo was answered ${accepted.status}: ${accepted.detail}`);
      }),
    );
  await waitForIssues(engine, projectIds, counts.errors);
  await workOnIssues(engine, projectIds, people, now);
  return counts;

  function addRequest(request: DemoRequest, place: RequestPlace): void {
    for (const transaction of request.transactions) {
      const { project, endMs, payload } = transaction;
      sent.push({ at: endMs, project, envelope: toEnvelope(String(payload.event_id), "transaction", payload) });
      counts.transactions += 1;
      const log = toLogItem(request, transaction, { place, random });
      if (log === null) continue;
      sent.push({ at: endMs, project, envelope: `{}\n${log.item}` });
      counts.lines += log.lines;
    }
  }
}

async function addProjects(engine: Engine, now: number) {
  const { projects, directory } = engine.state;
  const keys = new Map<DemoProject, string>();
  const projectIds = new Map<DemoProject, number>();
  for (const { slug, name, platform } of PROJECTS) {
    await projects.createProject({ slug, name, platform, draftRule: draftFirstRule, at: now });
    const project = await directory.getProjectBySlug(slug);
    const [key] = (await directory.listKeys()).filter(({ projectId }) => projectId === project?.id);
    if (!project || !key) throw new Error(`the project ${slug} of the demo has no key`);
    // Set-up made the first one with its slug alone.
    await projects.changeProject(scopeOfServer([project.id]), project.id, { name, platform });
    keys.set(slug, key.publicKey);
    projectIds.set(slug, project.id);
  }
  await engine.reloadKeys();
  return { keys, projectIds };
}

function toInstant({ days, count, rhythm }: ErrorScenario, index: number, now: number, random: Random): number {
  const span = days * DAY_MS;
  // The first and the last event are at fixed times; the others are random.
  const share = index === 0 ? 1 : index === count - 1 ? 0 : random.next();
  if (rhythm === "growing") return now - 20_000 - share ** 2.5 * span;
  if (rhythm === "steady") return now - 20_000 - share * span;
  const night = Math.floor((share * span) / DAY_MS) * DAY_MS;
  return now - 20_000 - Math.min(night + random.next() * 3 * HOUR_MS, span);
}

/** The error, and the request in which it was thrown where the shop has such a one. */
function toError(scenario: ErrorScenario, at: number, { now, random }: { now: number; random: Random }) {
  const { project, event: fields, hasUsers } = scenario;
  const user = hasUsers ? pickCustomer(random) : null;
  const name = typeof fields.transaction === "string" ? fields.transaction : "";
  const place = { ...placeAt(at, now, random), user, failing: { project, name } };
  const shape = findShape(project, name);
  const request = shape && planRequest(shape, at, place, random);
  const inside = request?.transactions.find((each) => each.project === project && each.name === name);
  // The request is moved to where its error is thrown.
  const moved =
    request && inside ? moveEarlier(request, inside.startMs + (inside.endMs - inside.startMs) * 0.8 - at) : request;
  const contexts = { ...(fields.contexts as Record<string, unknown> | undefined) };
  if (request && inside) contexts.trace = { trace_id: request.traceId, span_id: inside.spanId, op: "function" };
  const event = {
    event_id: random.hex(32),
    timestamp: at / 1000,
    environment: place.environment,
    release: place.release,
    sdk: { name: `sentry.${fields.platform}`, version: "10.75.2" },
    ...(user && { user }),
    ...fields,
    ...(isCrumbs(fields.breadcrumbs) && { breadcrumbs: { values: toTimed(fields.breadcrumbs.values, at) } }),
    ...(user && { tags: { plan: planOf(user).plan, ...(fields.tags as Record<string, string> | undefined) } }),
    contexts,
  };
  return { request: moved, place, event };
}

function isCrumbs(value: unknown): value is { values: object[] } {
  return typeof value === "object" && value !== null && "values" in value && Array.isArray(value.values);
}

/** Breadcrumbs before an error, some seconds apart. */
function toTimed(crumbs: readonly object[], at: number) {
  return crumbs.map((crumb, index) => ({ ...crumb, timestamp: at / 1000 - (crumbs.length - index) * 1.7 }));
}

/** The same request, this many milliseconds earlier. */
function moveEarlier(request: DemoRequest, byMs: number): DemoRequest {
  const shift = (seconds: unknown) => Number(seconds) - byMs / 1000;
  const shiftTimes = (of: Record<string, unknown>) => ({
    ...of,
    start_timestamp: shift(of.start_timestamp),
    timestamp: shift(of.timestamp),
  });
  return {
    ...request,
    transactions: request.transactions.map((each) => ({
      ...each,
      startMs: each.startMs - byMs,
      endMs: each.endMs - byMs,
      payload: {
        ...shiftTimes(each.payload),
        spans: (each.payload.spans as Array<Record<string, unknown>>).map(shiftTimes),
      },
    })),
  };
}

function toEnvelope(eventId: string, type: string, payload: object): string {
  const header = { event_id: eventId, sent_at: new Date().toISOString() };
  return `${JSON.stringify(header)}\n${JSON.stringify({ type })}\n${JSON.stringify(payload)}\n`;
}

/** People work on issues that are there: waits until every error has become part of one. */
async function waitForIssues(engine: Engine, projectIds: ReadonlyMap<DemoProject, number>, errors: number) {
  const scope = scopeOfServer([...projectIds.values()]);
  const query = { from: null, to: null, sort: "last_seen", cursor: null, limit: 100 } as const;
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await pause(200)) {
    const { issues } = await engine.state.issues.listIssues(scope, query);
    if (issues.reduce((sum, { eventCount }) => sum + eventCount, 0) >= errors) return;
  }
  throw new Error(`the errors of the demo did not become issues within ${MAX_WAIT_MS / 1000} s`);
}
