import type { Workspace } from "../../access/workspace.ts";
import { type ApiToken, TOKEN_LIVES_DAYS, toApiScopes } from "../../domain/api-token.ts";
import { toOneLine } from "../../domain/one-line.ts";
import { hasRight, type Scope } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import { readIntent } from "../input/read-intent.ts";
import { createApiToken } from "./api-token.server.ts";

/** More tokens than anyone looks through. It stops scripts that make tokens in a loop. */
const MAX_TOKENS = 200;
const MAX_NAME_LENGTH = 64;

/** `list` and `intent` messages are above the form, the others beside their fields. */
type TokenField = "name" | "scopes" | "kind" | "expires" | "list" | "intent";

export type TokenResult =
  | { ok: true; made: MadeToken }
  | { ok: true; revoked: string }
  | { ok: false; status: 400 | 403 | 404 | 409; field: TokenField; message: string };

export interface MadeToken {
  name: string;
  /** The secret. It is stored nowhere and shown only once. */
  secret: string;
  /** Lines for the environment of a build. */
  environment: string;
}

/** Handles the form. `intent`: `create` or `revoke`. */
export async function changeTokens(
  workspace: Workspace,
  { viewer, form, url, now }: { viewer: User; form: FormData; url: URL; now: number },
): Promise<TokenResult> {
  const read = readIntent(form, ["create", "revoke"]);
  if (!read.ok) return read;
  if (read.intent === "revoke") return revokeToken(workspace, { viewer, tokenId: Number(form.get("token")), now });
  const kind = form.get("kind");
  if (kind !== "organization" && kind !== "personal") return refused("kind", "Choose the kind of token.");
  // An organization's token may see more than the person who makes it.
  if (kind === "organization" && !hasRight(workspace.scope, "org:write"))
    return {
      ...refused(
        "kind",
        "An organization’s token sees every project, so managers and owners make it. Make a personal one.",
      ),
      status: 403,
    };
  const name = toOneLine(String(form.get("name") ?? ""));
  if (name === "") return refused("name", "Give the token a name, so that you know what uses it.");
  if (name.length > MAX_NAME_LENGTH) return refused("name", `At most ${MAX_NAME_LENGTH} characters.`);
  const life = readLife(form.get("expires"));
  if (life === null) return refused("expires", "Choose one of the times.");
  const scopes = toApiScopes(form.getAll("scope").map(String));
  if (scopes.length === 0) return refused("scopes", "Choose at least one: a token without a scope may do nothing.");
  const missing = scopes.filter((scope) => !hasRight(workspace.scope, scope));
  if (missing.length > 0)
    return {
      ...refused("scopes", `Your role does not have ${missing.join(", ")}, so no token of yours can.`),
      status: 403,
    };
  if ((await workspace.state.tokens.listTokens()).length >= MAX_TOKENS)
    return {
      ...refused("list", `There are ${MAX_TOKENS} tokens, which is the limit. Revoke some first.`),
      status: 409,
    };
  const made = await makeToken(workspace, {
    kind,
    name,
    scopes,
    expiresAt: life === "never" ? null : now + life * DAY_MS,
    viewer,
    url,
    now,
    project: String(form.get("project") ?? ""),
  });
  return { ok: true, made };
}

async function makeToken(
  workspace: Workspace,
  {
    viewer,
    url,
    now,
    project,
    ...token
  }: Pick<ApiToken, "kind" | "name" | "scopes" | "expiresAt"> & {
    viewer: User;
    url: URL;
    now: number;
    project: string;
  },
): Promise<MadeToken> {
  const { organization } = workspace;
  // Tools refuse an address with a path.
  const rootUrl = new URL(workspace.settings.publicUrl ?? url.origin).origin;
  const { secret } = await createApiToken(workspace.state.tokens, {
    ...token,
    userId: viewer.id,
    organizationSlug: organization.slug,
    rootUrl,
    at: now,
  });
  const slug = (await workspace.state.projects.getProjectBySlug(workspace.scope, project))?.slug ?? "your-project";
  const environment = [
    `SENTRY_URL=${rootUrl}`,
    `SENTRY_ORG=${organization.slug}`,
    `SENTRY_PROJECT=${slug}`,
    `SENTRY_AUTH_TOKEN=${secret}`,
  ].join("\n");
  return { name: token.name, secret, environment };
}

/** Whether the viewer may see a token. Members see their own personal tokens; people with the right to change the organization see all. */
export function seesToken(scope: Scope, viewer: User, token: ApiToken): boolean {
  return hasRight(scope, "org:write") || (token.kind === "personal" && token.userId === viewer.id);
}

/**
 * Reads the lifetime of a token. A form without the field makes a token that never expires, for scripts from before the field
 * existed. Null: not a choice of the form.
 */
function readLife(field: FormDataEntryValue | null): number | "never" | null {
  if (field === null || field === "never") return "never";
  return TOKEN_LIVES_DAYS.find((days) => String(days) === field) ?? null;
}

async function revokeToken(
  { state, scope }: Workspace,
  { viewer, tokenId, now }: { viewer: User; tokenId: number; now: number },
): Promise<TokenResult> {
  const token = Number.isSafeInteger(tokenId) ? await state.tokens.getToken(tokenId) : null;
  if (!token || !seesToken(scope, viewer, token) || !(await state.tokens.revokeToken(token.id, now)))
    return { ok: false, status: 404, field: "list", message: "This token does not exist any more." };
  return { ok: true, revoked: token.name };
}

function refused(field: TokenField, message: string): TokenResult & { ok: false } {
  return { ok: false, status: 400, field, message };
}
