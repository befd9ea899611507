import { randomBytes } from "node:crypto";
import type { Project, ProjectKey } from "../../domain/project.ts";
import type { Engine } from "../../engine/engine.ts";
import { refusal } from "./answers.server.ts";
import { readJsonObject } from "./read-body.server.ts";

/** By its number or its public key. @throws a 404 answer. */
export async function requireKey(engine: Engine, project: Project, idOrPublicKey: string): Promise<ProjectKey> {
  const keys = await engine.state.projects.listKeys(project.id);
  const key = keys.find(({ id, publicKey }) => String(id) === idOrPublicKey || publicKey === idOrPublicKey);
  if (!key) throw refusal(404, "The requested key does not exist");
  return key;
}

export async function createKeyFromApi(engine: Engine, project: Project, request: Request): Promise<ProjectKey> {
  const body = await readJsonObject(request);
  const label = readLabel(body) ?? "Unnamed";
  const rateLimit = readRateLimit(body);
  let key = await engine.state.projects.createKey({
    projectId: project.id,
    label,
    publicKey: randomBytes(16).toString("hex"),
    at: Date.now(),
  });
  if (rateLimit) key = (await engine.state.projects.changeKey(key.id, { rateLimit })) ?? key;
  await engine.reloadKeys();
  return key;
}

export async function changeKeyFromApi(engine: Engine, key: ProjectKey, request: Request): Promise<ProjectKey> {
  const body = await readJsonObject(request);
  const label = readLabel(body);
  const rateLimit = readRateLimit(body);
  const { isActive } = body;
  if (isActive !== undefined && typeof isActive !== "boolean") throw refusal(400, "isActive must be true or false");
  const changed = await engine.state.projects.changeKey(key.id, {
    ...(label === undefined ? {} : { label }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(isActive === undefined ? {} : { isEnabled: isActive }),
  });
  if (!changed) throw refusal(404, "The requested key does not exist");
  await engine.reloadKeys();
  return changed;
}

function readLabel(body: Record<string, unknown>): string | undefined {
  const value = body.name ?? body.label;
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value.trim() === "" || value.length > 64)
    throw refusal(400, "name must be a text of 1 to 64 characters");
  return value.trim();
}

/** `{"count": items, "window": seconds}`; null, or a count of 0, takes the limit away. */
function readRateLimit(body: Record<string, unknown>): ProjectKey["rateLimit"] | undefined {
  const value = body.rateLimit;
  if (value === undefined) return undefined;
  if (value === null) return null;
  const { count, window } = value as { count?: unknown; window?: unknown };
  if (count === 0) return null;
  if (!Number.isInteger(count) || (count as number) < 1)
    throw refusal(400, "rateLimit.count must be a whole number of 1 or more");
  if (!Number.isInteger(window) || (window as number) < 1 || (window as number) > 86_400) {
    throw refusal(400, "rateLimit.window must be a whole number of seconds from 1 to 86400");
  }
  return { count: count as number, windowSeconds: window as number };
}
