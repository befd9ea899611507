import type { Project } from "../../domain/project.ts";
import type { Engine } from "../../engine/engine.ts";
import { isSlug, MAX_SLUG_LENGTH, toSlug } from "../projects/project-slug.ts";
import { refusal } from "./answers.server.ts";
import { readJsonObject } from "./read-body.server.ts";

/** @throws 400 when a field is wrong, 409 when the slug is taken. */
export async function createProjectFromApi(engine: Engine, request: Request): Promise<Project> {
  const body = await readJsonObject(request);
  const name = readText(body, "name", 64);
  if (!name) throw refusal(400, "name is required");
  const slug = readText(body, "slug", MAX_SLUG_LENGTH) ?? toSlug(name) ?? "";
  requireSlug(slug);
  const platform = readText(body, "platform", 64) ?? "other";
  const created = await engine.state.projects.createProject({ name, slug, platform, at: Date.now() });
  if (!created.ok) throw refusal(409, `A project with the slug "${slug}" already exists.`);
  await engine.reloadKeys();
  return created.project;
}

/** @throws 400 when a field is wrong, 409 when the slug is taken. */
export async function changeProjectFromApi(engine: Engine, project: Project, request: Request): Promise<Project> {
  const body = await readJsonObject(request);
  const name = readText(body, "name", 64);
  const slug = readText(body, "slug", MAX_SLUG_LENGTH);
  const platform = readText(body, "platform", 64);
  if (slug !== undefined) requireSlug(slug);
  const origins = body.allowedDomains;
  if (origins !== undefined && !(Array.isArray(origins) && origins.every((origin) => typeof origin === "string"))) {
    throw refusal(400, "allowedDomains must be a list of strings");
  }
  const scrapes = body.scrapeJavaScript;
  if (scrapes !== undefined && typeof scrapes !== "boolean")
    throw refusal(400, "scrapeJavaScript must be true or false");
  const changed = await engine.state.projects.changeProject(project.id, {
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug }),
    ...(platform === undefined ? {} : { platform }),
    ...(scrapes === undefined ? {} : { fetchesSourceMaps: scrapes }),
    ...(origins === undefined
      ? {}
      : { allowedOrigins: (origins as string[]).filter((origin) => origin.trim() !== "") }),
  });
  if (!changed.ok) {
    throw changed.reason === "slug-taken"
      ? refusal(409, `A project with the slug "${slug}" already exists.`)
      : refusal(404, "The requested project does not exist");
  }
  await engine.reloadKeys();
  return changed.project;
}

function readText(body: Record<string, unknown>, field: string, maxLength: number): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || value.trim() === "") throw refusal(400, `${field} must be a text that is not empty`);
  if (value.trim().length > maxLength)
    throw refusal(400, `${field} has ${value.trim().length} characters, ${maxLength} are allowed`);
  return value.trim();
}

function requireSlug(slug: string): void {
  if (!isSlug(slug)) {
    throw refusal(400, "slug must have 1 to 50 lower-case letters, digits and inner hyphens, and not only digits");
  }
}
