import { z } from "zod";
import { MAX_REASON } from "../../domain/alerts/silence.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { endSilence, silenceAlerts } from "../../features/silences/change-silence.server.ts";
import { listSilences, type SilenceItem } from "../../features/silences/list-silences.server.ts";
import type { SilenceResult } from "../../features/silences/silence-result.ts";
import { answer, nothing, refusal } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";

const SILENCES = "/projects/{organization}/{project}/silences/";

const silence = z.object({
  id: z.string(),
  project: z.string().nullable().describe("slug; null: all projects that its rule or environment has"),
  rule: z.string().nullable().describe("id of an alert rule; null: all rules"),
  environment: z.string().nullable().describe("null: all environments"),
  reason: z.string(),
  madeBy: z.string(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  held: z.int().describe("firings that it held back"),
});

const fields = z.object({
  minutes: z.coerce.number().optional().describe("how long; or name `until`"),
  until: z.string().optional().describe("an instant, ISO 8601"),
  environment: z.string().optional().describe("of the project; absent: all"),
  rule: z.coerce.string().optional().describe("id of an alert rule that covers the project; absent: all rules"),
  reason: z.string().max(MAX_REASON).optional(),
});

export const SILENCE_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: SILENCES,
    scopes: ["project:read"],
    summary: "The silences that hold for a project now.",
    answers: { 200: { what: "Silences", json: z.array(silence) } },
    async handle({ workspace, project, now }) {
      const silences = await listSilences(workspace, now);
      return answer(
        silences
          .filter((each) => !each.isOver && (each.project === null || each.project.id === project.id))
          .map(toJson),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: SILENCES,
    scopes: ["project:write", "project:releases"],
    summary:
      "Silences the alert rules of a project from now on, for some minutes or until an instant, as during a deploy. It ends by itself.",
    body: { json: fields, form: fields },
    answers: { 201: { what: "The silence", json: silence } },
    async handle({ workspace, project, body, now }) {
      const { minutes, until, environment = "", rule, reason = "" } = body;
      if ((minutes === undefined) === (until === undefined))
        throw refusal(400, "minutes: Give either minutes or until, and not both.");
      const endsAt = minutes === undefined ? Date.parse(until ?? "") : now + minutes * MINUTE_MS;
      const ruleId = rule === undefined ? null : /^\d{1,15}$/.test(rule) ? Number(rule) : 0;
      const made = await silenceAlerts(workspace, { ruleId, projectId: project.id, environment, reason, endsAt }, now);
      if (!made.ok) throw refuse(made, minutes === undefined ? "until" : "minutes");
      const found = (await listSilences(workspace, now)).find(({ id }) => id === made.silenceId);
      if (found === undefined) throw refusal(404, "The requested silence does not exist");
      return answer(toJson(found), { status: 201 });
    },
  }),
  endpoint({
    method: "DELETE",
    path: `${SILENCES}{silence}/`,
    scopes: ["project:write", "project:releases"],
    summary: "Ends a silence of a project now.",
    answers: { 204: { what: "Ended", json: null } },
    async handle({ workspace, project, params, now }) {
      const id = /^\d{1,15}$/.test(params.silence) ? Number(params.silence) : 0;
      const found = await workspace.state.silences.getSilence(workspace.scope, id);
      if (found === null || found.projectId !== project.id) throw refusal(404, "The requested silence does not exist");
      const ended = await endSilence(workspace, id, now);
      if (!ended.ok) throw refuse(ended);
      return nothing();
    },
  }),
];

/** The refusal as an answer. `end`: the name of the field that gave the end of the silence. */
function refuse({ status, field, message }: Extract<SilenceResult, { ok: false }>, end = "until"): Response {
  if (field === "list" || field === "covers") return refusal(status, message);
  return refusal(status, `${field === "until" ? end : field}: ${message}`);
}

function toJson({ id, project, rule, environment, reason, madeBy, startsAt, endsAt, held }: SilenceItem) {
  return {
    id: String(id),
    project: project?.slug ?? null,
    rule: rule === null ? null : String(rule.id),
    environment,
    reason,
    madeBy,
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
    held,
  };
}
