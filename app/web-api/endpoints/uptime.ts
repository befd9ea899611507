import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { hasRight } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import { UPTIME_METHODS, type UptimeMonitor } from "../../domain/uptime/uptime-monitor.ts";
import { toId } from "../../features/input/to-id.ts";
import { changeUptime, createUptime, type UptimeResult } from "../../features/uptime/change-uptime.server.ts";
import { NEW_UPTIME_FIELDS, toUptimeFields, type UptimeField } from "../../features/uptime/read-uptime-form.ts";
import { MAX_RECENT_CHECKS } from "../../stores/state/uptime-store.ts";
import { answer, nothing, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { PAGING, PROJECTS, refuseCursor, TIME_RANGE, toPlace, toProjectScope, toTimeFilter } from "../query.ts";
import { serializeUptime, serializeUptimeCheck, uptimeAnswer, uptimeCheckAnswer } from "../serialize-uptime.ts";

const OF_PROJECT = "/projects/{organization}/{project}/uptime/";
const MONITOR = `${OF_PROJECT}{uptime}/` as const;
const READ: Endpoint["scopes"] = ["project:read", "org:read"];
const WRITE: Endpoint["scopes"] = ["project:write"];
const one: EndpointAnswer = { what: "The uptime monitor", json: uptimeAnswer };

/** The form has one header or assertion a line, so a value with a line break would be read as two. */
const line = z.string().regex(/^[^\r\n]*$/, "must not have line breaks");

const fields = z.object({
  name: z.string(),
  url: z.string().describe("`https://example.com/health`, or a host and its port"),
  method: z.enum(UPTIME_METHODS).nullish(),
  headers: z.array(z.tuple([line, line])).nullish(),
  body: z.string().nullish(),
  environment: z.string().nullish(),
  intervalSeconds: z.number(),
  timeoutMs: z.number().optional(),
  status: z.enum(["active", "disabled"]).optional(),
  assertions: z.array(line).optional().describe("as on the page: `status 200-299`"),
  locations: z
    .array(line)
    .optional()
    .describe("`here`, for this server, and names or ids of locations; absent of a new one: `here` alone"),
  downAt: z
    .union([z.enum(["most", "all"]), z.int()])
    .optional()
    .describe("how many of its places must find it down: `most` (the default), `all`, 1, 2 or 3"),
  certificateDays: z.number().nullish().describe("null: nobody is told that the certificate ends"),
});
type Fields = Partial<z.infer<typeof fields>>;

export const UPTIME_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/uptime/",
    scopes: READ,
    summary: "Uptime monitors, those that are down first.",
    query: z.object({ query: z.string().optional().describe("Part of the name or the address"), ...PROJECTS }),
    answers: { 200: { what: "Uptime monitors", json: z.array(uptimeAnswer) } },
    async handle({ workspace, query }) {
      const { state, scope } = workspace;
      const found = { ...(query.query && { text: query.query }) };
      const monitors = await state.uptime.listUptimeMonitors(await toProjectScope(workspace, query), found);
      const locations = await state.uptimeLocations.listUptimeLocations();
      const slugs = new Map((await state.projects.listProjects(scope)).map(({ id, slug }) => [id, slug]));
      const mayChange = hasRight(scope, "project:write");
      return answer(
        monitors.map((each) =>
          serializeUptime(each, { projectSlug: slugs.get(each.projectId) ?? "", mayChange, locations }),
        ),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: OF_PROJECT,
    scopes: WRITE,
    summary: "Begins to check an address for a project.",
    body: { json: fields },
    answers: { 201: one },
    async handle({ workspace, project, body, now }) {
      const made = await createUptime(workspace, toForm(NEW_UPTIME_FIELDS, body, { project: project.slug }), now);
      if (!made.ok || made.monitorId === null) throw refuse(made);
      if (body.status === "disabled") await press(workspace, made.monitorId, "pause", now);
      return serialized(workspace, project, made.monitorId, 201);
    },
  }),
  endpoint({
    method: "GET",
    path: MONITOR,
    scopes: READ,
    summary: "One uptime monitor.",
    answers: { 200: one },
    async handle({ workspace, project, params }) {
      return serialized(workspace, project, toId(params.uptime), 200);
    },
  }),
  endpoint({
    method: "GET",
    path: `${MONITOR}checks/`,
    scopes: READ,
    summary: `Its last checks, the newest first: at most ${MAX_RECENT_CHECKS} of each place are kept.`,
    query: z.object({ ...PAGING, ...TIME_RANGE }),
    answers: { 200: { what: "Checks", json: z.array(uptimeCheckAnswer) } },
    async handle({ workspace, project, params, query, now }) {
      refuseCursor(query);
      const { state, scope } = workspace;
      const monitor = await requireMonitor(workspace, project, toId(params.uptime));
      const { from, to } = toTimeFilter(query, { now, fallbackMs: DAY_MS });
      const checks = await state.uptime.listUptimeChecks(scope, monitor.id);
      const found = checks.filter(({ at }) => from === null || (at >= from && at < to));
      const locations = await state.uptimeLocations.listUptimeLocations();
      return answer(found.slice(0, toPlace(query).limit).map((check) => serializeUptimeCheck(check, locations)));
    },
  }),
  endpoint({
    method: "PUT",
    path: MONITOR,
    scopes: WRITE,
    summary: "Changes an uptime monitor. Fields that are absent stay.",
    body: { json: fields.partial() },
    answers: { 200: one },
    async handle({ workspace, project, params, body, now }) {
      const { id: monitorId, settings } = await requireMonitor(workspace, project, toId(params.uptime));
      const { status, ...change } = body;
      if (Object.values(change).some((value) => value !== undefined)) {
        const form = toForm(toUptimeFields(settings), change, { intent: "save" });
        const saved = await changeUptime(workspace, { monitorId, form, now });
        if (!saved.ok) throw refuse(saved);
      }
      if (status !== undefined) await press(workspace, monitorId, status === "disabled" ? "pause" : "resume", now);
      return serialized(workspace, project, monitorId, 200);
    },
  }),
  endpoint({
    method: "DELETE",
    path: MONITOR,
    scopes: WRITE,
    summary: "Deletes an uptime monitor with its checks and outages. Its open issues are resolved.",
    answers: { 204: { what: "Deleted", json: null } },
    async handle({ workspace, project, params, now }) {
      const { id } = await requireMonitor(workspace, project, toId(params.uptime));
      await press(workspace, id, "delete", now);
      return nothing();
    },
  }),
];

async function press(workspace: Workspace, monitorId: number, intent: "pause" | "resume" | "delete", now: number) {
  const result = await changeUptime(workspace, { monitorId, form: toFormData({ intent }), now });
  if (!result.ok) throw refuse(result);
}

async function serialized(workspace: Workspace, project: Project, monitorId: number, status: number) {
  const monitor = await requireMonitor(workspace, project, monitorId);
  const mayChange = hasRight(workspace.scope, "project:write");
  const locations = await workspace.state.uptimeLocations.listUptimeLocations();
  return answer(serializeUptime(monitor, { projectSlug: project.slug, mayChange, locations }), { status });
}

async function requireMonitor({ state, scope }: Workspace, project: Project, id: number): Promise<UptimeMonitor> {
  const monitor = await state.uptime.getUptimeMonitor(scope, id);
  if (monitor?.projectId !== project.id) throw refusal(404, "The requested uptime monitor does not exist");
  return monitor;
}

/** The fields as a form of the page, with the given values in place of the known ones. So both use the same checks. */
function toForm(known: Record<UptimeField, string>, given: Fields, more: Record<string, string>): FormData {
  const change: Partial<Record<UptimeField, string | undefined>> = {
    name: given.name,
    address: given.url,
    method: given.method ?? undefined,
    headers: given.headers === null ? "" : given.headers?.map(([name, value]) => `${name}: ${value}`).join("\n"),
    body: given.body === null ? "" : given.body,
    environment: given.environment === null ? "" : given.environment,
    interval: given.intervalSeconds?.toString(),
    timeout: given.timeoutMs?.toString(),
    assertions: given.assertions?.join("\n"),
    places: given.locations?.join(","),
    downAt: given.downAt?.toString(),
    certificate: given.certificateDays === null ? "" : given.certificateDays?.toString(),
  };
  const set = Object.entries(change).filter(([, value]) => value !== undefined);
  return toFormData({ ...known, ...Object.fromEntries(set), ...more });
}

function toFormData(values: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

/** Names of the fields in the web API, by those of the form. */
const NAMES: Record<string, string> = {
  address: "url",
  interval: "intervalSeconds",
  timeout: "timeoutMs",
  certificate: "certificateDays",
  places: "locations",
};

function refuse(result: UptimeResult): Response {
  if (result.ok) return refusal(404, "The requested uptime monitor does not exist");
  const { status, field, message } = result;
  return refusal(status, field === "intent" ? message : `${NAMES[field] ?? field}: ${message}`);
}
