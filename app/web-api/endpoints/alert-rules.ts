import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { type AlertRule, coversProject } from "../../domain/alerts/alert-rule.ts";
import type { Project } from "../../domain/project.ts";
import type { AlertResult } from "../../features/alerts/alert-result.ts";
import { changeAlertRule, createAlertRule, deleteAlertRule } from "../../features/alerts/save-alert.server.ts";
import { fromRuleBody, type RuleBody, ruleAnswer, ruleBody, ruleChange, serializeRule } from "../alert-rule-shapes.ts";
import { answer, nothing, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";

const RULES = "/projects/{organization}/{project}/rules/";
const RULE = `${RULES}{rule}/` as const;
const READ: Endpoint["scopes"] = ["project:read"];
const WRITE: Endpoint["scopes"] = ["project:write"];
const one: EndpointAnswer = { what: "The rule", json: ruleAnswer };

export const ALERT_RULE_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: RULES,
    scopes: READ,
    summary: "The alert rules that cover a project, by name.",
    answers: { 200: { what: "Rules", json: z.array(ruleAnswer) } },
    async handle({ workspace, project, now }) {
      const { state, scope } = workspace;
      const [rules, projects] = await Promise.all([
        state.alerts.listRules(scope, now),
        state.projects.listProjects(scope),
      ]);
      return answer(
        rules.filter((rule) => coversProject(rule, project.id)).map((rule) => serializeRule(rule, projects)),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: RULES,
    scopes: WRITE,
    summary: "Creates an alert rule of a project. Anything that a rule cannot do here is refused, with the field.",
    body: { json: ruleBody },
    answers: { 201: one },
    async handle({ workspace, project, body, now }) {
      const typed = fromRuleBody(body, { projectIds: [project.id] });
      return answerSaved(workspace, await createAlertRule(workspace, typed, now), 201);
    },
  }),
  endpoint({
    method: "GET",
    path: RULE,
    scopes: READ,
    summary: "One alert rule that covers a project.",
    answers: { 200: one },
    async handle({ workspace, project, params }) {
      const { state, scope } = workspace;
      return answer(
        serializeRule(await requireRule(workspace, project, params.rule), await state.projects.listProjects(scope)),
      );
    },
  }),
  endpoint({
    method: "PUT",
    path: RULE,
    scopes: WRITE,
    summary: "Changes an alert rule. Fields that are absent stay, and so do its projects.",
    body: { json: ruleChange },
    answers: { 200: one },
    async handle({ workspace, project, params, body, now }) {
      const rule = await requireRule(workspace, project, params.rule);
      const known = toBody(serializeRule(rule, []));
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      const typed = fromRuleBody({ ...known, ...given }, { projectIds: rule.projectIds });
      return answerSaved(workspace, await changeAlertRule(workspace, rule, typed, now), 200);
    },
  }),
  endpoint({
    method: "DELETE",
    path: RULE,
    scopes: WRITE,
    summary: "Deletes an alert rule, and what it has fired.",
    answers: { 204: { what: "Deleted", json: null } },
    async handle({ workspace, project, params }) {
      const result = await deleteAlertRule(workspace, await requireRule(workspace, project, params.rule));
      if (!result.ok) throw refuse(result);
      return nothing();
    },
  }),
];

function toBody({
  name,
  conditions,
  filterMatch,
  filters,
  actions,
  steps,
  frequency,
  environment,
  status,
}: z.input<typeof ruleAnswer>): RuleBody {
  return { name, actionMatch: "any", conditions, filterMatch, filters, actions, steps, frequency, environment, status };
}

async function requireRule({ state, scope }: Workspace, project: Project, id: string): Promise<AlertRule> {
  const rule = /^\d{1,15}$/.test(id) ? await state.alerts.getRule(scope, Number(id)) : null;
  if (rule === null || !coversProject(rule, project.id)) throw refusal(404, "The requested rule does not exist");
  return rule;
}

/** Names of the fields of a rule in the web API, by those of the form. */
const FIELDS: Record<string, string> = {
  triggers: "conditions",
  conditions: "filters",
  match: "filterMatch",
};

function refuse({ status, field, index, message }: Extract<AlertResult, { ok: false }>): Response {
  if (field === "list") return refusal(status, message);
  return refusal(status, `${FIELDS[field] ?? field}${index === undefined ? "" : `[${index}]`}: ${message}`);
}

async function answerSaved({ state, scope }: Workspace, result: AlertResult, status: 200 | 201): Promise<Response> {
  if (!result.ok) throw refuse(result);
  const rule = await state.alerts.getRule(scope, result.ruleId);
  if (rule === null) throw refusal(404, "The requested rule does not exist");
  return answer(serializeRule(rule, await state.projects.listProjects(scope)), { status });
}
