import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { MAX_SERVICE_CHARS, MAX_SERVICE_RULES, type ServiceRule } from "../../domain/service-rule.ts";

/** A rule as people write it, with the project's slug. */
export interface NamedServiceRule {
  service: string;
  project: string;
}

/** Rules like `checkout = shop`, one a line. For a line without `=` the project is empty, and `readServiceRules` reports it. */
export function splitServiceLines(form: FormData): NamedServiceRule[] {
  const lines = String(form.get("services") ?? "").split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const at = line.lastIndexOf("=");
      return at < 0
        ? { service: line.trim(), project: "" }
        : { service: line.slice(0, at).trim(), project: line.slice(at + 1).trim() };
    });
}

/** Finds the projects of the rules. A project that the caller may not see is treated as unknown. */
export async function readServiceRules(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  named: readonly NamedServiceRule[],
): Promise<{ ok: true; rules: ServiceRule[] } | { ok: false; message: string }> {
  if (named.length > MAX_SERVICE_RULES)
    return { ok: false, message: `A project has at most ${MAX_SERVICE_RULES} services; these are ${named.length}.` };
  const projects = new Map((await state.projects.listProjects(scope)).map(({ slug, id }) => [slug, id]));
  const rules: ServiceRule[] = [];
  for (const { service, project } of named) {
    const problem = findProblem(service, project, rules);
    if (problem !== null) return { ok: false, message: problem };
    const projectId = projects.get(project);
    if (projectId === undefined) return { ok: false, message: `There is no project with the slug “${cut(project)}”.` };
    rules.push({ service, projectId });
  }
  return { ok: true, rules };
}

function findProblem(service: string, project: string, before: readonly ServiceRule[]): string | null {
  if (project === "") return `“${cut(service)}” names no project: write it like checkout = shop.`;
  if (service === "") return `The line of project “${cut(project)}” names no service: write it like checkout = shop.`;
  if (service.length > MAX_SERVICE_CHARS) return `A service has at most ${MAX_SERVICE_CHARS} characters.`;
  if (service.slice(0, -1).includes("*")) return `“${cut(service)}” has a * before its end. It can only be the last.`;
  if (before.some((rule) => rule.service === service)) return `“${cut(service)}” stands there twice.`;
  return null;
}

function cut(text: string): string {
  return text.slice(0, 80);
}

/** The rules as they are shown. Rules of deleted projects, and of projects that the caller may not see, are left out. */
export async function nameServiceRules(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  { serviceRules }: Pick<Project, "serviceRules">,
): Promise<NamedServiceRule[]> {
  if (serviceRules.length === 0) return [];
  const slugs = new Map((await state.projects.listProjects(scope)).map(({ slug, id }) => [id, slug]));
  return serviceRules.flatMap(({ service, projectId }) => {
    const project = slugs.get(projectId);
    return project === undefined ? [] : [{ service, project }];
  });
}
