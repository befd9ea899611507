import { createHash, timingSafeEqual } from "node:crypto";
import { API_SCOPES, allowsScope } from "../../domain/api-token.ts";
import type { Project } from "../../domain/project.ts";
import type { User } from "../../domain/user.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Organization } from "../../stores/state/people-store.ts";
import { hashApiToken } from "../auth/api-token.server.ts";
import { refusal } from "./answers.server.ts";
import type { ApiCaller } from "./api-caller.ts";
import type { Endpoint } from "./endpoint.ts";

/** No token is longer; what is longer is not hashed. */
const MAX_TOKEN_LENGTH = 4096;

/**
 * Who calls the web API: by a token, the bearer token that the operator set, or whoever is signed in.
 * @throws a 401 answer.
 */
export async function requireApiCaller(
  engine: Engine,
  { request, viewer, now }: { request: Request; viewer: User | null; now: number },
): Promise<ApiCaller> {
  const header = request.headers.get("authorization");
  if (header === null) {
    if (viewer) return { kind: "session", user: viewer, scopes: API_SCOPES, tokenName: null };
    throw refusal(401, "Authentication credentials were not provided.");
  }
  const secret = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (!secret) throw refusal(401, "The Authorization header must be: Bearer <token>");
  const { apiToken } = engine.settings;
  if (apiToken !== null && isSameSecret(secret, apiToken)) {
    const user = await engine.state.people.getOwner();
    if (user) return { kind: "operator", user, scopes: API_SCOPES, tokenName: null };
  }
  const caller = secret.length > MAX_TOKEN_LENGTH ? null : await findCaller(engine, secret, now);
  if (!caller) throw refusal(401, "Invalid token");
  return caller;
}

async function findCaller({ state }: Engine, secret: string, now: number): Promise<ApiCaller | null> {
  const token = await state.tokens.findToken(hashApiToken(secret));
  if (!token) return null;
  const user = token.kind === "personal" ? await state.people.getUser(token.userId) : null;
  if (token.kind === "personal" && !user) return null;
  await state.tokens.noteTokenUse(token.id, now);
  return { kind: token.kind, user, scopes: token.scopes, tokenName: token.name };
}

/** @throws a 403 answer that names the scopes that are needed and those that are there. */
export function requireScope(
  caller: ApiCaller,
  { method, path, scopes }: Pick<Endpoint, "method" | "path" | "scopes">,
) {
  if (scopes === "public" || allowsScope(caller.scopes, scopes)) return;
  const needed = scopes.length === 1 ? `the scope ${scopes[0]}` : `one of the scopes ${scopes.join(", ")}`;
  const granted = caller.scopes.length === 0 ? "no scope" : caller.scopes.join(", ");
  throw refusal(403, `${method} ${path} needs ${needed}; this token has ${granted}.`);
}

/** By slug, `default` id or number. @throws a 404 answer. */
export async function requireOrganization(engine: Engine, slug: string): Promise<Organization> {
  const organization = await engine.state.people.getOrganization();
  if (!organization || (slug !== organization.slug && slug !== "1"))
    throw refusal(404, "The requested organization does not exist");
  return organization;
}

/** By slug or number. @throws a 404 answer. */
export async function requireProject(engine: Engine, slugOrId: string): Promise<Project> {
  const project = await findProject(engine, slugOrId);
  if (!project) throw refusal(404, "The requested project does not exist");
  return project;
}

/** By slug or number; null when there is none. */
export async function findProject(engine: Engine, slugOrId: string): Promise<Project | null> {
  const bySlug = await engine.state.projects.getProjectBySlug(slugOrId);
  return bySlug ?? (/^\d{1,15}$/.test(slugOrId) ? await engine.state.projects.getProject(Number(slugOrId)) : null);
}

/**
 * Of a body's list of projects. @throws a 400 answer that names the one that does not exist: a 404 is shown by sentry-cli
 * as a release that was not found.
 */
export async function requireNamedProjects(
  engine: Engine,
  slugsOrIds: ReadonlyArray<string | number>,
): Promise<Project[]> {
  return Promise.all(
    slugsOrIds.map(async (slugOrId) => {
      const project = await findProject(engine, String(slugOrId));
      if (!project) throw refusal(400, `projects: there is no project "${String(slugOrId).slice(0, 60)}"`);
      return project;
    }),
  );
}

/** Compares by hash, so that neither content nor length can be timed. */
function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
