import { expect, test } from "vitest";
import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { Scope } from "../../domain/scope.ts";
import { bindSearch } from "../../domain/search/bind-search.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { matchesCondition } from "../../domain/search/matches-condition.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { resolveSearchNames } from "./resolve-search-names.server.ts";

const PROJECTS = [
  { id: 1, slug: "api" },
  { id: 2, slug: "web" },
] as Project[];

/** Lines by the service that is shown, with the project and the service that was sent. */
const LINES: Record<string, { projectId: string; service: string | null }> = {
  "api of Sentry": { projectId: "1", service: null },
  "api of OpenTelemetry": { projectId: "2", service: "api" },
  web: { projectId: "2", service: null },
  worker: { projectId: "1", service: "worker" },
};

test.each([
  ["service:api", ["api of Sentry", "api of OpenTelemetry"]],
  ["!service:api", ["web", "worker"]],
  ["service:w*", ["web", "worker"]],
  ["service:worker", ["worker"]],
  ["has:service", ["api of OpenTelemetry", "worker"]],
])("%s finds services by the name that pages show", async (search, found) => {
  const { condition } = bindSearch(parseSearch(search).tree, LOG_VOCABULARY, 0);
  const workspace = { state: {} } as Pick<Workspace, "state">;
  const resolved = await resolveSearchNames(workspace, { condition, projects: PROJECTS, scope: {} as Scope });
  const isFound = (line: (typeof LINES)[string]) =>
    matchesCondition(resolved.condition, {
      field: (name) => line[name as keyof typeof line],
      tag: () => null,
      tagValues: () => [],
    });
  expect(Object.keys(LINES).filter((name) => isFound(LINES[name] as (typeof LINES)[string]))).toEqual(found);
});
