import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";
import type { Endpoint } from "../../app/web-api/endpoint.ts";
import type { FurnishedProject } from "./furnish-project.ts";
import { CHANGES, FOR_MANAGERS, get, QUERIES, REFUSES_EVERYBODY, type Visit } from "./limited-visits.ts";

export interface TestRoute {
  path: string;
  hasAction: boolean;
}

/** The requests of an endpoint that name things of a project. */
export type ToVisits = (endpoint: Endpoint, of: FurnishedProject) => Visit[];

/** Of the built table of routes: those that something is answered at. */
export async function listRoutes(): Promise<TestRoute[]> {
  const buildFile = new URL("../../build/server/index.js", import.meta.url);
  const { routes }: ServerBuild = await import(pathToFileURL(buildFile.pathname).href);
  return Object.values(routes).flatMap((route) => {
    if (!route || (route.path === undefined && !route.index)) return [];
    const segments: string[] = [];
    for (let at: typeof route | undefined = route; at; at = at.parentId ? routes[at.parentId] : undefined) {
      if (at.path) segments.unshift(at.path);
    }
    return [{ path: `/${segments.join("/")}`, hasAction: route.module.action !== undefined }];
  });
}

/** The requests of an endpoint. A name in its path that is not known here has no value. */
export function toEndpointVisits(
  { method, path, query, ofFeedback }: Endpoint,
  { of, own, repositoryId }: { of: FurnishedProject; own: FurnishedProject; repositoryId: string },
): Visit[] {
  const key = `${method} ${path}`;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const fill = (project: FurnishedProject) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(toName(key, name, { of, project, repositoryId })),
    );
  const isNamed = names.some(
    (name) => !["organization", "repository", "tag", "attribute", "team", "member", "location"].includes(name),
  );
  const paths = [`/api/0${fill(of)}`];
  // The project is the viewer's, the rest is not.
  const isOther = names.some((name) => !["organization", "project", "tag", "team", "member", "filter"].includes(name));
  if (of !== own && names.includes("project") && isOther) paths.push(`/api/0${fill(own)}`);
  if (ofFeedback)
    paths.push(`/api/0${fill(of)}`.replace(`/${of.issueId}/`, `/U${of.feedbackId}/`).replace(of.eventId, "latest"));
  const status = REFUSES_EVERYBODY.includes(key) ? 400 : FOR_MANAGERS.includes(key) ? 403 : 200;
  if (method === "GET") {
    const asked = QUERIES[path]?.(of) ?? "";
    const foreign = isNamed ? 404 : status;
    const visits = paths.map((each) => get(`${each}?${asked}`, foreign));
    const takesProject = query !== undefined && "project" in query.shape;
    return takesProject && !isNamed ? [...visits, get(`${paths[0]}?${asked}&project=${of.projectId}`, 404)] : visits;
  }
  const change = CHANGES[key];
  if (!change)
    throw new Error(
      `${key} is new: say in CHANGES of tests/support/limited-visits.ts what it is sent, by somebody limited to one project`,
    );
  return change(of, own).flatMap(({ path: named, query = "", body, foreign }) =>
    (named === undefined ? paths : [`/api/0${named}`]).map((each) => ({
      method,
      path: `${each}?${query}`,
      ...(body && { body }),
      foreign: foreign ?? (isNamed || query || key.includes("code-mappings") ? 404 : 204),
    })),
  );
}

function toName(
  key: string,
  name: string,
  { of, project, repositoryId }: { of: FurnishedProject; project: FurnishedProject; repositoryId: string },
): string {
  const values: Record<string, string> = {
    organization: "default",
    project: project.slug,
    issue: of.issueId,
    event: of.eventId,
    release: of.version,
    key: of.keyId,
    file: of.fileId,
    tag: "checkout",
    comment: "1",
    link: "1",
    rule: of.ruleId,
    silence: of.silenceId,
    alertRule: of.metricId,
    workflow: of.ruleId,
    detector: of.metricId,
    uptime: of.uptimeId,
    location: "1",
    attachment: of.item,
    attribute: "release",
    filter: "localhost",
    trace: of.traceId,
    monitor: of.monitorSlug,
    item: of.traceId.slice(0, 16),
    repository: repositoryId,
    // Everybody who may read members and teams sees all of them.
    team: "alphas",
    member: "1",
  };
  const value = values[name];
  if (value === undefined)
    throw new Error(`${key} is new: say in toName of tests/support/endpoint-visits.ts what {${name}} may be`);
  return value;
}
