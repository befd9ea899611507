import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { coversProject } from "../../domain/alerts/alert-rule.ts";
import type { Scope } from "../../domain/scope.ts";
import { answer, answerPage, refusal } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { readListedQuery, sortListed, toListedPage } from "../listed-query.ts";
import { list, PAGING, PROJECTS, toPlace, toProjectScope } from "../query.ts";
import {
  detectorAnswer,
  serializeMetricDetector,
  serializeStream,
  serializeWorkflow,
  workflowAnswer,
} from "../workflow-shapes.ts";

const WORKFLOWS = "/organizations/{organization}/workflows/";
const DETECTORS = "/organizations/{organization}/detectors/";
const READ: Endpoint["scopes"] = ["org:read", "project:read"];

const LIST = {
  id: list.describe("Repeatable"),
  sortBy: z.string().default("id").describe("A field, with `-` before it the other way round"),
  ...PROJECTS,
  ...PAGING,
};

export const WORKFLOW_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: WORKFLOWS,
    scopes: READ,
    summary: "Alert rules, in the words of Sentry's alerts. `rules/` of a project changes them.",
    query: z.object({
      query: z.string().default("").describe("Part of the name"),
      detector: list.describe("Those that cover what a detector finds. Repeatable"),
      ...LIST,
    }),
    answers: { 200: { what: "Alerts", json: z.array(workflowAnswer) } },
    async handle({ workspace, query, url, now }) {
      const matches = readListedQuery(query.query, []);
      const detectors = await listDetectors(workspace, workspace.scope, now);
      const wanted = query.detector.map((id) => detectors.find((each) => each.id === id)?.workflowIds ?? []);
      const alerts = (await listWorkflows(workspace, await toProjectScope(workspace, query), now)).filter(
        (each) =>
          matches(each) &&
          (query.id.length === 0 || query.id.includes(each.id)) &&
          (wanted.length === 0 || wanted.some((ids) => ids.includes(each.id))),
      );
      const sorted = sortListed(alerts, query.sortBy, {
        name: ({ name }) => name.toLowerCase(),
        dateCreated: ({ dateCreated }) => dateCreated,
        dateUpdated: ({ dateUpdated }) => dateUpdated,
        connectedDetectors: ({ detectorIds }) => detectorIds.length,
        actions: ({ actionFilters }) => actionFilters.reduce((sum, { actions }) => sum + actions.length, 0),
      });
      const page = toListedPage(sorted, toPlace(query));
      return answerPage(url, page.items, page);
    },
  }),
  endpoint({
    method: "GET",
    path: `${WORKFLOWS}{workflow}/`,
    scopes: READ,
    summary: "One alert rule, in the words of Sentry's alerts.",
    answers: { 200: { what: "The alert", json: workflowAnswer } },
    async handle({ workspace, params, now }) {
      const found = (await listWorkflows(workspace, workspace.scope, now)).find(({ id }) => id === params.workflow);
      if (!found) throw refusal(404, "The requested alert does not exist");
      return answer(found);
    },
  }),
  endpoint({
    method: "GET",
    path: DETECTORS,
    scopes: READ,
    summary: "What finds issues: metric monitors (`metric_issue`), and the issues of each project (`issue_stream`).",
    query: z.object({
      query: z.string().default("").describe("Part of the name, and `type:metric_issue` or `type:issue_stream`"),
      type: list.describe("Repeatable"),
      enabled: z.enum(["true", "false"]).optional(),
      ...LIST,
    }),
    answers: { 200: { what: "Detectors", json: z.array(detectorAnswer) } },
    async handle({ workspace, query, url, now }) {
      const matches = readListedQuery(query.query, ["type"]);
      const detectors = (await listDetectors(workspace, await toProjectScope(workspace, query), now)).filter(
        (each) =>
          matches(each) &&
          (query.id.length === 0 || query.id.includes(each.id)) &&
          (query.type.length === 0 || query.type.includes(each.type)) &&
          (query.enabled === undefined || query.enabled === String(each.enabled)),
      );
      const sorted = sortListed(detectors, query.sortBy, {
        name: ({ name }) => name.toLowerCase(),
        type: ({ type }) => type,
        connectedWorkflows: ({ workflowIds }) => workflowIds.length,
      });
      const page = toListedPage(sorted, toPlace(query));
      return answerPage(url, page.items, page);
    },
  }),
  endpoint({
    method: "GET",
    path: `${DETECTORS}{detector}/`,
    scopes: READ,
    summary: "One metric monitor, or the issues of one project, as a detector.",
    answers: { 200: { what: "The detector", json: detectorAnswer } },
    async handle({ workspace, params, now }) {
      const found = (await listDetectors(workspace, workspace.scope, now)).find(({ id }) => id === params.detector);
      if (!found) throw refusal(404, "The requested detector does not exist");
      return answer(found);
    },
  }),
];

async function listWorkflows({ state, scope }: Workspace, narrowed: Scope, now: number) {
  const [rules, projects] = await Promise.all([
    state.alerts.listRules(narrowed, now),
    state.projects.listProjects(scope),
  ]);
  return rules.map((rule) => serializeWorkflow(rule, projects));
}

async function listDetectors({ state }: Workspace, scope: Scope, now: number) {
  const [rules, projects, monitors] = await Promise.all([
    state.alerts.listRules(scope, now),
    state.projects.listProjects(scope),
    state.metrics.listMetricMonitors(scope, {}),
  ]);
  const toWorkflowIds = (projectId: number) =>
    rules.filter((rule) => coversProject(rule, projectId)).map(({ id }) => String(id));
  return [
    ...monitors.flatMap((monitor) => {
      const project = projects.find(({ id }) => id === monitor.projectId);
      return project ? [serializeMetricDetector(monitor, project, toWorkflowIds(project.id))] : [];
    }),
    ...projects.map((project) => serializeStream(project, toWorkflowIds(project.id))),
  ];
}
