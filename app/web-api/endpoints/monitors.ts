import { z } from "zod";
import { parseNamedCursor } from "../../stores/state/named-cursor.ts";
import { answerPage } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { ENVIRONMENTS, PAGING, PROJECTS, requireCursor, toEnvironments, toPlace, toProjectScope } from "../query.ts";
import { monitorAnswer, serializeMonitor } from "../serialize-monitor.ts";

export const MONITOR_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/monitors/",
    scopes: ["org:read", "project:read"],
    summary: "Monitors, by slug. `X-Check-Ins-Left-Out` counts check-ins that found no room.",
    query: z.object({
      query: z.string().trim().optional().describe("Part of the slug"),
      ...PROJECTS,
      ...ENVIRONMENTS,
      ...PAGING,
    }),
    answers: { 200: { what: "Monitors", json: z.array(monitorAnswer) } },
    async handle({ workspace, query, url }) {
      const place = toPlace(query);
      requireCursor(place.cursor, parseNamedCursor);
      const page = await workspace.state.monitors.listMonitors(await toProjectScope(workspace, query), {
        ...toEnvironments(query),
        ...(query.query ? { text: query.query } : {}),
        ...place,
      });
      const projects = new Map(
        (await workspace.state.projects.listProjects(workspace.scope)).map((project) => [project.id, project]),
      );
      const monitors = page.monitors.flatMap((monitor) => {
        const project = projects.get(monitor.projectId);
        return project ? [serializeMonitor(monitor, project)] : [];
      });
      const leftOutCount = page.overflows.reduce((sum, { checkInCount }) => sum + checkInCount, 0);
      return answerPage(url, monitors, page, leftOutCount > 0 ? { "x-check-ins-left-out": String(leftOutCount) } : {});
    },
  }),
];
