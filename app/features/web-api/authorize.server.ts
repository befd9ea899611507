import { createHash, timingSafeEqual } from "node:crypto";
import type { Project } from "../../domain/project.ts";
import type { User } from "../../domain/user.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Organization } from "../../stores/state-store.ts";
import { refusal } from "./answers.server.ts";

/**
 * Who calls the web API: the owner, by the bearer token that the operator set, or whoever is signed in.
 * @throws a 401 answer.
 */
export async function requireApiUser(engine: Engine, request: Request, viewer: User | null): Promise<User> {
  const header = request.headers.get("authorization");
  if (header === null) {
    if (viewer) return viewer;
    throw refusal(401, "Authentication credentials were not provided.");
  }
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (!token) throw refusal(401, "The Authorization header must be: Bearer <token>");
  const { apiToken } = engine.settings;
  const owner = apiToken !== null && isSameSecret(token, apiToken) ? await engine.state.getOwner() : null;
  if (!owner) throw refusal(401, "Invalid token");
  return owner;
}

/** By slug, `default` id or number. @throws a 404 answer. */
export async function requireOrganization(engine: Engine, slug: string): Promise<Organization> {
  const organization = await engine.state.getOrganization();
  if (!organization || (slug !== organization.slug && slug !== "1"))
    throw refusal(404, "The requested organization does not exist");
  return organization;
}

/** By slug or number. @throws a 404 answer. */
export async function requireProject(engine: Engine, slugOrId: string): Promise<Project> {
  const bySlug = await engine.state.getProjectBySlug(slugOrId);
  const project = bySlug ?? (/^\d{1,15}$/.test(slugOrId) ? await engine.state.getProject(Number(slugOrId)) : null);
  if (!project) throw refusal(404, "The requested project does not exist");
  return project;
}

/** Compares by hash, so that neither content nor length can be timed. */
function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
