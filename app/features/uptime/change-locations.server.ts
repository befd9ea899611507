import type { Workspace } from "../../access/workspace.ts";
import { LOCATION_LIMITS } from "../../domain/uptime/uptime-location.ts";
import type { User } from "../../domain/user.ts";
import { createApiToken } from "../auth/api-token.server.ts";
import { readIntent } from "../input/read-intent.ts";

export type LocationResult =
  /** `secret`: the token. It is shown once, and nowhere else. */
  | { ok: true; message: string; made: { name: string; secret: string } | null; locationId: number | null }
  | { ok: false; status: 400 | 404 | 409; field: "name" | "intent"; message: string };

const GONE: LocationResult = {
  ok: false,
  status: 404,
  field: "intent",
  message: "There is no such location any more.",
};

/** Facts of the request. `viewer`: the person who makes the token. */
interface Asked {
  viewer: User;
  /** The address at which locations reach the server: `https://host[:port]`. */
  rootUrl: string;
  now: number;
}

/** Does what the pressed button of the page asks. */
export async function changeLocations(workspace: Workspace, form: FormData, asked: Asked): Promise<LocationResult> {
  const read = readIntent(form, ["create", "token", "delete"]);
  if (!read.ok) return read;
  if (read.intent === "create") return createLocation(workspace, String(form.get("name") ?? ""), asked);
  const id = Number(form.get("location"));
  const locationId = Number.isSafeInteger(id) ? id : 0;
  return read.intent === "token"
    ? renewToken(workspace, locationId, asked)
    : deleteLocation(workspace, locationId, asked.now);
}

export async function createLocation(workspace: Workspace, text: string, asked: Asked): Promise<LocationResult> {
  const name = text.trim();
  const problem = judgeName(name);
  if (problem !== null) return { ok: false, status: 400, field: "name", message: problem };
  const { state } = workspace;
  const { token, secret } = await mintToken(workspace, name, asked);
  const made = await state.uptimeLocations.createUptimeLocation({ name, tokenId: token.id, now: asked.now });
  if (typeof made === "object")
    return { ok: true, message: `“${name}” is added.`, made: { name, secret }, locationId: made.id };
  await state.tokens.revokeToken(token.id, asked.now);
  const message =
    made === "taken"
      ? "Another location has this name."
      : `There are ${LOCATION_LIMITS.locations} locations, and not more are allowed: delete one first.`;
  return { ok: false, status: 409, field: "name", message };
}

async function renewToken(workspace: Workspace, locationId: number, asked: Asked): Promise<LocationResult> {
  const { state } = workspace;
  const location = (await state.uptimeLocations.listUptimeLocations()).find(({ id }) => id === locationId);
  if (location === undefined) return GONE;
  const { token, secret } = await mintToken(workspace, location.name, asked);
  const set = await state.uptimeLocations.setUptimeLocationToken(locationId, token.id);
  if (set === null) {
    await state.tokens.revokeToken(token.id, asked.now);
    return GONE;
  }
  if (set.formerTokenId !== null) await state.tokens.revokeToken(set.formerTokenId, asked.now);
  const message = `“${location.name}” has a new token. The former one is revoked.`;
  return { ok: true, message, made: { name: location.name, secret }, locationId };
}

export async function deleteLocation(
  { state, scope }: Workspace,
  locationId: number,
  now: number,
): Promise<LocationResult> {
  const deleted = await state.uptimeLocations.deleteUptimeLocation(scope, locationId);
  if (deleted === null) return GONE;
  if ("used" in deleted) {
    const { names, count } = deleted.used;
    const named = names.slice(0, 5).map((name) => `“${name}”`);
    const more = count > named.length ? [`${count - named.length} more`] : [];
    const message = `Nothing else checks ${[...named, ...more].join(", ")}. Choose another place for them first.`;
    return { ok: false, status: 409, field: "intent", message };
  }
  if (deleted.formerTokenId !== null) await state.tokens.revokeToken(deleted.formerTokenId, now);
  return { ok: true, message: "The location is deleted, and its token is revoked.", made: null, locationId: null };
}

function judgeName(name: string): string | null {
  if (name === "") return "Give the location a name, such as the city that it is in.";
  if (name.length > LOCATION_LIMITS.nameChars) return `At most ${LOCATION_LIMITS.nameChars} characters.`;
  // Names appear in lists with commas between them, beside numbers.
  if (name.includes(",") || !/\p{L}/u.test(name)) return "It must have a letter, and no comma.";
  if (/^(here|this server)$/i.test(name)) return "This name means this server.";
  return null;
}

function mintToken({ state, organization }: Workspace, name: string, { viewer, rootUrl, now }: Asked) {
  return createApiToken(state.tokens, {
    kind: "organization",
    name: `Location ${name}`,
    scopes: ["uptime:check"],
    userId: viewer.id,
    organizationSlug: organization.slug,
    rootUrl,
    // The location runs for years, and nobody is there to renew its token.
    expiresAt: null,
    at: now,
  });
}
