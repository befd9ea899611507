import { z } from "zod";
import { parseAssigneeText, toAssigneeName } from "../../domain/issues/triage.ts";
import { MONITOR_LIMITS, type Monitor, type MonitorConfig } from "../../domain/monitor.ts";
import { toSlug } from "../../domain/monitors/monitor-slug.ts";
import { readSentConfig } from "../../domain/monitors/sent-config.ts";
import { DAY_MS } from "../../domain/time.ts";
import { createCron } from "../../features/crons/change-cron.server.ts";
import type { MonitorRun } from "../../stores/state/monitor-store.ts";
import { answer, answerPage, nothing, refusal, toIso, toIsoOrNull } from "../answers.ts";
import { type CallContext, type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { findProject } from "../find-named.server.ts";
import { PAGING, requireCursor, TIME_RANGE, toPlace, toTimeFilter } from "../query.ts";
import { monitorAnswer, serializeMonitor } from "../serialize-monitor.ts";
import { id, instant } from "../shapes.ts";

const READ: Endpoint["scopes"] = ["org:read", "project:read"];
const WRITE: Endpoint["scopes"] = ["project:write"];

const sentConfig = z
  .looseObject({
    schedule_type: z.enum(["crontab", "interval"]).default("crontab"),
    schedule: z.union([z.string(), z.tuple([z.int(), z.string()])]),
  })
  .describe('`schedule` is a crontab, or [2, "hour"]; see docs/crons.md for the others');

const fields = {
  name: z.string().trim().min(1).max(MONITOR_LIMITS.nameChars).optional(),
  slug: z.string().max(MONITOR_LIMITS.slugChars).optional(),
  type: z.literal("cron_job").optional(),
  status: z.enum(["active", "disabled"]).optional().describe("`disabled` pauses all of its environments"),
  owner: z
    .string()
    .regex(/^(user|team):\d{1,15}$/)
    .nullish(),
  is_muted: z.boolean().optional(),
  isMuted: z.boolean().optional(),
};
const newMonitor = z.strictObject({ ...fields, project: z.string(), name: fields.name.unwrap(), config: sentConfig });
const monitorChange = z.strictObject({ ...fields, project: z.string().optional(), config: sentConfig.optional() });

const checkInAnswer = z.object({
  id,
  status: z.enum(["in_progress", "ok", "error", "timeout", "missed", "unknown"]),
  environment: z.string(),
  duration: z.number().nullable().describe("Milliseconds"),
  dateCreated: instant,
  dateUpdated: instant,
  dateInProgress: instant.nullable(),
  expectedTime: instant.nullable(),
  isLate: z.boolean(),
  release: z.string().nullable(),
  exitStatus: z.int().nullable(),
  output: z.string().nullable(),
});

const one: EndpointAnswer = { what: "The monitor", json: monitorAnswer };

/** Two paths of a monitor: by its slug alone, and by its project and slug. */
const PATHS = [
  "/organizations/{organization}/monitors/{monitor}/",
  "/projects/{organization}/{project}/monitors/{monitor}/",
] as const;

export const MONITOR_DETAIL_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/organizations/{organization}/monitors/",
    scopes: WRITE,
    summary: "Makes a monitor, which waits for its first check-in. 409 when the project has one with this slug.",
    body: { json: newMonitor },
    answers: { 201: one },
    async handle({ workspace, body, now }) {
      const project = await findProject(workspace, body.project);
      if (project === null) throw refusal(404, "The requested project does not exist");
      const slug = toSlug(body.slug ?? body.name);
      if (slug === "") throw refusal(400, "slug: has at least one letter or digit");
      const config = readConfig(body.config, body.owner ?? null);
      await requireOwnerInProject(workspace, config.owner, project.id);
      const made = await createCron(workspace, {
        projectId: project.id,
        slug,
        name: body.name === slug ? null : body.name,
        config,
        now,
      });
      if (!made.ok) throw refusal(made.status, made.message);
      const monitor = await mute(workspace, made.monitor, body, now);
      return answer(serializeMonitor(monitor, project), { status: 201 });
    },
  }),
  ...PATHS.flatMap((path) => [
    endpoint({
      method: "GET",
      path,
      scopes: READ,
      summary: "One monitor.",
      answers: { 200: one },
      handle: async (call) => answer(await serialize(call, call.monitor)),
    }),
    endpoint({
      method: "PUT",
      path,
      scopes: WRITE,
      summary: "Changes a monitor. A new schedule holds from now on. Fields that are not sent stay.",
      body: { json: monitorChange },
      answers: { 200: one },
      async handle(call) {
        const { workspace, body, now } = call;
        const monitor: Monitor = call.monitor;
        const { state, scope } = workspace;
        const slug = body.slug === undefined ? monitor.slug : toSlug(body.slug);
        if (slug === "") throw refusal(400, "slug: has at least one letter or digit");
        const owner = body.owner === undefined ? (monitor.config?.owner ?? null) : body.owner;
        const config = body.config === undefined ? withOwner(monitor.config, owner) : readConfig(body.config, owner);
        if (config?.owner !== monitor.config?.owner)
          await requireOwnerInProject(workspace, config?.owner, monitor.projectId);
        const saved = await state.monitors.changeMonitor(scope, monitor.id, {
          slug,
          config,
          ...(body.name === undefined ? {} : { name: body.name === slug ? null : body.name }),
          at: now,
        });
        if (!saved.ok && saved.reason === "taken")
          throw refusal(409, `There is a monitor ${slug} in this project already.`);
        if (!saved.ok) throw refusal(404, "The requested monitor does not exist");
        if (body.status !== undefined)
          await state.monitors.pause(scope, monitor.id, {
            environment: null,
            isPaused: body.status === "disabled",
            at: now,
          });
        await mute(workspace, saved.monitor, body, now);
        const changed = await state.monitors.getMonitor(scope, { projectId: monitor.projectId, slug });
        return answer(await serialize(call, changed ?? saved.monitor));
      },
    }),
    endpoint({
      method: "DELETE",
      path,
      scopes: WRITE,
      summary: "Deletes a monitor and its runs. The next check-in makes it again.",
      answers: { 202: { what: "Deleted", json: null } },
      async handle({ workspace, monitor, now }) {
        await workspace.state.monitors.deleteMonitor(workspace.scope, monitor.id, now);
        return nothing(202);
      },
    }),
    endpoint({
      method: "GET",
      path: `${path}checkins/`,
      scopes: ["event:read"],
      summary: "Its runs, newest first: those that came, and those that did not.",
      query: z.object({ ...PAGING, ...TIME_RANGE, environment: z.string().optional() }),
      answers: { 200: { what: "Runs", json: z.array(checkInAnswer) } },
      async handle({ workspace, monitor, query, url, now }) {
        const { cursor, limit } = toPlace(query);
        const { from, to } = toTimeFilter(query, { now, fallbackMs: DAY_MS });
        requireCursor(cursor, (text) => (/^\d{1,15}$/.test(text) ? text : null));
        const runs = await workspace.state.monitors.listRuns(workspace.scope, monitor.id, {
          before: cursor === null ? null : Number(cursor),
          ...(from !== null && { from, to }),
          limit: limit + 1,
          ...(query.environment === undefined ? {} : { environment: query.environment }),
        });
        const shown = runs.slice(0, limit);
        const nextCursor = runs.length > limit ? String(shown.at(-1)?.id) : null;
        return answerPage(url, shown.map(serializeRun), { previousCursor: null, nextCursor });
      },
    }),
  ]),
];

async function serialize({ workspace }: CallContext, monitor: Monitor) {
  const project = await workspace.state.projects.getProject(workspace.scope, monitor.projectId);
  if (project === null) throw refusal(404, "The requested monitor does not exist");
  return serializeMonitor(monitor, project);
}

async function mute(
  { state, scope }: CallContext["workspace"],
  monitor: Monitor,
  { is_muted, isMuted = is_muted }: { is_muted?: boolean | undefined; isMuted?: boolean | undefined },
  now: number,
): Promise<Monitor> {
  if (isMuted === undefined || isMuted === monitor.isMuted) return monitor;
  const changed = await state.monitors.changeMonitor(scope, monitor.id, { isMuted, at: now });
  return changed.ok ? changed.monitor : monitor;
}

/** @throws a 400 answer that names the field. */
function readConfig(sent: z.output<typeof sentConfig>, owner: string | null): MonitorConfig {
  const { schedule_type: type, schedule, ...rest } = sent;
  const [value, unit] = typeof schedule === "string" ? [schedule, undefined] : schedule;
  const read = readSentConfig({
    ...rest,
    schedule: { type, value, ...(unit === undefined ? {} : { unit }) },
    ...(owner === null ? {} : { owner }),
  });
  if (!read.ok) throw refusal(400, `config: ${read.fault}`);
  return read.config;
}

/** @throws a 400 answer if the owner cannot get issues of the project. */
async function requireOwnerInProject(
  { state, scope }: CallContext["workspace"],
  owner: string | null | undefined,
  projectId: number,
): Promise<void> {
  const ref = owner ? parseAssigneeText(owner) : null;
  if (ref === null) return;
  const assignee = await state.triage.getAssignee(scope, ref);
  if (assignee === null) throw refusal(400, `owner: There is no ${ref.kind === "team" ? "team" : "member"} ${ref.id}.`);
  if (!(await state.triage.seesProject(scope, ref, projectId)))
    throw refusal(400, `owner: ${toAssigneeName(assignee)} does not see the project. Give them access first.`);
}

function withOwner(config: MonitorConfig | null, owner: string | null): MonitorConfig | null {
  if (config === null) return null;
  const { owner: _, ...rest } = config;
  return owner === null ? rest : { ...rest, owner };
}

function serializeRun(run: MonitorRun): z.input<typeof checkInAnswer> {
  const {
    id: runId,
    status,
    environment,
    durationMs,
    dueAt,
    startedAt,
    endedAt,
    isLate,
    release,
    exitStatus,
    output,
  } = run;
  return {
    id: String(runId),
    status,
    environment,
    duration: durationMs,
    dateCreated: toIso(startedAt),
    dateUpdated: toIso(endedAt ?? startedAt),
    dateInProgress: status === "missed" ? null : toIso(startedAt),
    expectedTime: toIsoOrNull(dueAt),
    isLate,
    release,
    exitStatus,
    output,
  };
}
