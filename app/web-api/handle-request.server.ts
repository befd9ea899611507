import type { Entrance } from "../access/enter.server.ts";
import type { Workspace } from "../access/workspace.ts";
import { type AuditActor, memberActor, nameMember } from "../domain/audit/audit-entry.ts";
import { sayRefusedByDisk } from "../domain/full-disk.ts";
import { findReadLimit, READ_AGAIN_SECONDS, sayReadLimit } from "../domain/read-limit.ts";
import type { User } from "../domain/user.ts";
import { isSignedIn } from "../features/auth/session.server.ts";
import { noteMissingDays } from "../features/storage/note-missing-days.server.ts";
import { reportRequestFault } from "../sentry/report-fault.server.ts";
import { refusal } from "./answers.ts";
import type { ApiCaller } from "./api-caller.ts";
import { requireApiCaller, requireScope } from "./authorize.server.ts";
import { checkParams } from "./check-input.ts";
import type { AnyCall, CallContext, Endpoint } from "./endpoint.ts";
import { findEndpoint } from "./endpoints.ts";
import { findNamed } from "./find-named.server.ts";
import { requireShortAddress } from "./query.ts";
import { readBody } from "./read-body.server.ts";
import { sayNoMethod, sayNoPath } from "./say-absent.ts";

const ROOT = "/api/0";
const NOBODY: ApiCaller = { kind: "anonymous", user: null, scopes: [], tokenName: null, tokenId: null };

const NOT_OF_FEEDBACK = "This is feedback. Only issues have what this path names";

/** The workspace for public endpoints, which do not use it. */
const NO_WORKSPACE = new Proxy({} as Workspace, {
  get() {
    throw new Error("a public endpoint has no workspace");
  },
});

export interface ApiRequest {
  entrance: Entrance;
  /** The signed-in user. Null: nobody is signed in. */
  viewer: User | null;
  clientAddress: string | null;
  request: Request;
  /** The request's address, as the client sees it. */
  url: URL;
}

/** Answers a request of the web API. A refusal is a thrown answer. A fault is reported once and answered 500. */
export async function handleApiRequest(asked: ApiRequest): Promise<Response> {
  try {
    return await callEndpoint(asked);
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    const limit = findReadLimit(thrown);
    if (limit !== null) return refusal(503, sayReadLimit(limit), { "retry-after": String(READ_AGAIN_SECONDS) });
    // Tools try again after this answer.
    const refused = sayRefusedByDisk(thrown);
    if (refused !== null) return refusal(507, refused);
    reportRequestFault(thrown, asked.request, "web-api");
    return refusal(500, "The server could not answer because of a fault of its own. Its log says more.");
  }
}

async function callEndpoint(sent: ApiRequest): Promise<Response> {
  const { entrance, clientAddress, request, url } = sent;
  const now = Date.now();
  const path = url.pathname.slice(ROOT.length);
  const { endpoint, params, allowed } = findEndpoint(request.method, path);
  const asked = endpoint?.scopes === "public" ? NOBODY : await requireApiCaller(entrance, { ...sent, now });
  if (allowed.length > 0) throw refusal(405, sayNoMethod(request.method, path), { allow: allowed.join(", ") });
  if (!endpoint) throw refusal(404, sayNoPath(request.method, path));
  const entered = await enter(entrance, endpoint, asked);
  const { publicUrl, version } = entrance.settings;
  const context = { request, url, now, baseUrl: publicUrl ?? url.origin, version };
  const enterAgain = async () => {
    const viewer = await findViewerAgain(sent);
    return await enter(entrance, endpoint, await requireApiCaller(entrance, { ...sent, viewer, now: Date.now() }));
  };
  const answer = async () => {
    const read = await readInput(endpoint, params, { ...entered, request, url });
    const isRead = read.body !== undefined && endpoint.scopes !== "public";
    const { workspace, caller } = isRead ? await enterAgain() : entered;
    const input = isRead ? { ...read, ...(await findNamed(workspace, params)) } : read;
    const call = { ...context, ...input, workspace, caller, enterAgain };
    const { feedback, project } = input;
    if (feedback === null || project === null) return endpoint.handle(call);
    if (!endpoint.ofFeedback) throw refusal(404, NOT_OF_FEEDBACK);
    return endpoint.ofFeedback({ ...call, feedback, project });
  };
  const { caller, workspace } = entered;
  const asker = caller === NOBODY ? null : caller;
  const actor = { ...toAuditActor(caller), address: clientAddress };
  const response = await entrance.actAs(actor, () => entrance.readFor(asker, answer));
  if (asked !== NOBODY) noteMissingDays(response.headers, workspace.storage.lostDays());
  return response;
}

/** @throws a 403 answer if the caller has no right to ask. */
async function enter(
  entrance: Entrance,
  endpoint: Endpoint,
  asked: ApiCaller,
): Promise<Pick<AnyCall, "workspace" | "caller">> {
  requireScope(asked, endpoint);
  if (asked === NOBODY) return { workspace: NO_WORKSPACE, caller: NOBODY };
  const workspace = await entrance.openWorkspace({ user: asked.user, rights: asked.scopes });
  // If the role of a token's owner lost rights, the token loses them, too.
  const caller = { ...asked, scopes: workspace.scope.rights };
  requireScope(caller, endpoint);
  return { workspace, caller };
}

/** Reads the person of the session again. Null: the session has ended, or the person is no member any more. */
async function findViewerAgain({ entrance, viewer, request }: ApiRequest): Promise<User | null> {
  if (viewer === null || !(await isSignedIn(entrance.people, { request, now: Date.now() }))) return null;
  return await entrance.people.getUser(viewer.id);
}

/** The actor that the audit log names for changes by this caller. */
function toAuditActor({ kind, user, tokenId, tokenName }: ApiCaller): Omit<AuditActor, "address"> {
  if (kind === "anonymous") return { kind: "stranger", id: null, name: "somebody who is not signed in" };
  if (kind === "session" && user) return memberActor(user);
  const name = kind === "operator" ? "API token of the configuration" : (tokenName ?? "");
  return { kind: "token", id: tokenId, name: kind === "personal" && user ? `${name}, of ${nameMember(user)}` : name };
}

/** Checks first the path, then the query, then the body. So a client first learns of things that do not exist. */
async function readInput(
  { query, body }: Endpoint,
  params: Record<string, string>,
  { workspace, request, url }: Pick<AnyCall, "workspace" | "request" | "url">,
): Promise<Omit<AnyCall, keyof CallContext>> {
  if (query && "cursor" in query.shape) requireShortAddress(url);
  return {
    ...(await findNamed(workspace, params)),
    params,
    query: query ? checkParams(query, url.searchParams) : {},
    body: body && (await readBody(request, body)),
  };
}
