import { allowsScope } from "../domain/api-token.ts";
import { ROLE_RIGHTS, ROLES } from "../domain/people/roles.ts";
import { hasRight, type Right, type Scope } from "../domain/scope.ts";

/** Who may use a route: anybody, all members, or members with one of these rights. */
type Allowed = "anybody" | "members" | readonly Right[];

interface RouteRights {
  get: Allowed;
  /** Absent: the route takes no form. */
  post?: Allowed;
}

const READ_EVENTS: RouteRights = { get: ["event:read"] };
const READ_PROJECTS: RouteRights = { get: ["project:read"] };

/**
 * Who may use each route, by its pattern. A route that is missing here answers nobody. For a post this table has the least right that any
 * form of the page needs. Use cases check what a form needs beyond that.
 */
export const ROUTE_RIGHTS: Readonly<Record<string, RouteRights>> = {
  "/": { get: "anybody" },
  "/set-up": { get: "anybody", post: "anybody" },
  "/sign-in": { get: "anybody", post: "anybody" },
  "/sign-in/with/:provider": { get: "anybody" },
  // Providers send people back to this route.
  "/sign-in/callback/:provider": { get: "anybody" },
  // Challenges for passkeys. To add one, the route itself requires a signed-in person.
  "/sign-in/passkey": { get: "anybody", post: "anybody" },
  "/sign-in/code": { get: "anybody", post: "anybody" },
  "/second-factor": { get: "members", post: "members" },
  // Anybody who has such a link may use it.
  "/invitation/:token": { get: "anybody", post: "anybody" },
  "/status/:page": { get: "anybody" },
  "/share/issue/:token": { get: "anybody" },
  // The link is signed, and says for whom it is.
  "/act/:token": { get: "anybody", post: "anybody" },
  "/reset-password": { get: "anybody", post: "anybody" },
  "/reset-password/:token": { get: "anybody", post: "anybody" },
  "/change-email/:token": { get: "anybody", post: "anybody" },
  "/sign-out": { get: "anybody", post: "anybody" },
  "/theme": { get: "anybody", post: "anybody" },
  "/error-feedback": { get: "anybody", post: "anybody" },
  // The web API has its own table of rights: web-api/endpoints.ts.
  "/api/0/*": { get: "anybody", post: "anybody" },
  // These only redirect to other routes, and read nothing.
  "/orgredirect/organizations/:org/settings/auth-tokens": { get: "anybody" },
  "/organizations/:org/*": { get: "anybody" },
  // An address that does not exist.
  "/*": { get: "anybody", post: "anybody" },

  "/live": READ_EVENTS,
  "/logs/lines": READ_EVENTS,
  "/logs/tail": READ_EVENTS,
  "/find": READ_EVENTS,
  "/views/counts": READ_EVENTS,
  "/assignees": READ_EVENTS,
  "/search-values": READ_EVENTS,
  "/issue-news": READ_EVENTS,
  "/events/:eventId/json": READ_EVENTS,
  "/events/:eventId.md": READ_EVENTS,
  "/events/:eventId/timeline.md": READ_EVENTS,
  "/events/:eventId/timeline/lanes": READ_EVENTS,
  "/events/:eventId/logs": READ_EVENTS,
  "/issues/:issueId.md": READ_EVENTS,
  "/issues/:issueId/compare.md": READ_EVENTS,
  "/issues/:issueId/events/:eventId.md": READ_EVENTS,
  "/issues/:issueId/preview": READ_EVENTS,
  "/issues/mine": { get: ["event:read"], post: ["event:read"] },
  "/issues/:issueId/mine": { get: ["event:read"], post: ["event:read"] },
  "/issues/:issueId/state": READ_EVENTS,
  "/traces/:traceId.md": READ_EVENTS,
  "/traces/:traceId/rows": READ_EVENTS,
  "/attachments/:eventId/:item": READ_EVENTS,
  "/releases/:version.md": READ_PROJECTS,

  "/day": READ_EVENTS,
  "/issues": { get: ["event:read"], post: ["event:write"] },
  "/issues/:issueId": { get: ["event:read"], post: ["event:write"] },
  "/issues/:issueId/events": READ_EVENTS,
  "/issues/:issueId/tags": READ_EVENTS,
  "/issues/:issueId/similar": READ_EVENTS,
  "/issues/:issueId/share": { get: ["event:read"], post: ["event:write"] },
  "/issues/:issueId/split": { get: ["event:read"], post: ["event:write"] },
  "/issues/:issueId/compare": READ_EVENTS,
  "/issues/:issueId/events/:eventId": READ_EVENTS,
  "/events/:eventId": READ_EVENTS,
  "/events/:eventId/timeline": READ_EVENTS,
  "/traces": READ_EVENTS,
  "/traces/:traceId": READ_EVENTS,
  "/logs": READ_EVENTS,
  "/performance": READ_EVENTS,
  "/performance/transaction": READ_EVENTS,
  // A view is a name for an address, so everybody who reads may save one.
  "/views": { get: ["event:read"], post: ["event:read"] },
  "/uptime": READ_EVENTS,
  "/uptime/new": { get: ["project:write"], post: ["project:write"] },
  "/uptime/:monitor": { get: ["event:read"], post: ["project:write"] },
  "/metric-monitors": { get: ["event:read"], post: ["project:write"] },
  "/metric-monitors/new": { get: ["project:write"], post: ["project:write"] },
  "/metric-monitors/:monitor": { get: ["event:read"], post: ["project:write"] },
  "/feedback/:feedbackId?": { get: ["event:read"], post: ["event:write"] },
  // The history of rules shows titles of issues.
  "/alerts": { get: ["event:read"], post: ["project:write"] },
  "/alerts/new": { get: ["project:write"], post: ["project:write"] },
  "/alerts/file": { get: ["project:write"], post: ["project:write"] },
  "/alerts/file/download": { get: ["project:write"] },
  "/alerts/why": READ_EVENTS,
  "/alerts/silences": { get: ["event:read"], post: ["project:write", "project:releases"] },
  "/alerts/silences/:silence": { get: ["event:read"], post: ["project:write", "project:releases", "event:write"] },
  "/alerts/:rule": { get: ["event:read"], post: ["project:write"] },
  "/crons": READ_EVENTS,
  "/crons/preview": READ_EVENTS,
  "/crons/new": { get: ["project:write"], post: ["project:write"] },
  "/crons/:project/:slug": { get: ["event:read"], post: ["project:write"] },
  "/releases": READ_PROJECTS,
  "/releases/:version/:tab?": { get: ["project:read"], post: ["project:releases"] },
  "/projects": READ_PROJECTS,
  "/projects/new": { get: ["project:write"], post: ["project:write"] },
  "/projects/:slug": READ_PROJECTS,
  // The form sends a sample event.
  "/projects/:slug/set-up": { get: ["project:read"], post: ["event:write"] },
  "/projects/:slug/settings": { get: ["project:write"], post: ["project:write"] },
  "/projects/:slug/privacy": { get: ["project:write"], post: ["project:write"] },
  "/projects/:slug/filters": { get: ["project:write"], post: ["project:write"] },
  "/projects/:slug/limits": { get: ["project:write"], post: ["project:write"] },
  "/projects/:slug/status-page": { get: ["project:write"], post: ["project:write"] },
  // The page shows an event.
  "/projects/:slug/filters/:reason": READ_EVENTS,
  // The form deletes uploads.
  "/projects/:slug/source-maps": { get: ["project:read"], post: ["project:releases"] },
  "/projects/:slug/notifications": { get: ["project:write"], post: ["project:write"] },
  "/projects/:slug/grouping": { get: ["project:read"], post: ["project:write"] },
  // Its tester shows titles of events, which every role that may change a project can read.
  "/projects/:slug/owners": { get: ["project:read"], post: ["project:write"] },
  "/projects/:slug/people": { get: ["member:read"] },
  "/arrived": READ_PROJECTS,
  "/settings": { get: "members", post: "members" },
  "/settings/security": { get: "members", post: "members" },
  "/settings/sign-in": { get: ["org:admin"], post: ["org:admin"] },
  "/settings/sign-in/:provider": { get: ["org:admin"], post: ["org:admin"] },
  "/settings/tokens": { get: "members", post: "members" },
  "/settings/members": { get: ["member:read"], post: ["member:write"] },
  "/settings/members/:member": { get: ["member:read"], post: ["member:write"] },
  "/settings/invitations": { get: ["member:write"], post: ["member:write"] },
  "/settings/teams": { get: ["team:read"], post: ["team:write"] },
  "/settings/teams/:team": { get: ["team:read"], post: ["team:write"] },
  "/settings/channels": { get: ["project:write"] },
  "/settings/channels/new": { get: ["project:write"], post: ["project:write"] },
  "/settings/channels/:channel": { get: ["project:write"], post: ["project:write"] },
  "/settings/delivery": { get: ["project:write"], post: ["project:write"] },
  // The form makes tokens, and the page names every project.
  "/settings/locations": { get: ["org:write"], post: ["org:write"] },
  "/settings/repositories": { get: ["project:read"], post: ["project:write"] },
  "/settings/deletions": { get: ["event:read"], post: ["event:admin"] },
  "/settings/jobs": { get: ["org:read"] },
  "/settings/storage": { get: ["org:read"] },
  "/settings/limits": { get: ["org:write"], post: ["org:write"] },
  // The page shows acts of managers and owners.
  "/settings/audit": { get: ["org:write"] },
  "/settings/audit/export": { get: ["org:write"] },
};

/** Routes for a person who lacks the second factor that the organization requires: the page that sets one up, and the sign-out. */
const WITHOUT_SECOND_FACTOR: ReadonlySet<string> = new Set([
  "/second-factor",
  "/sign-out",
  "/theme",
  "/error-feedback",
  "/share/issue/:token",
  "/status/:page",
  "/act/:token",
  "/reset-password",
  "/reset-password/:token",
  "/change-email/:token",
]);

export function needsSecondFactor(pattern: string): boolean {
  return !WITHOUT_SECOND_FACTOR.has(toDeclared(pattern));
}

/**
 * Why the route must not answer. Null: it may. `scope` null: nobody is signed in; routes for members then redirect to the sign-in
 * themselves, so only what nobody may use is refused here.
 */
export function refuseRoute(pattern: string, method: string, scope: Scope | null): string | null {
  const declared = toDeclared(pattern);
  const rights = Object.hasOwn(ROUTE_RIGHTS, declared) ? ROUTE_RIGHTS[declared] : undefined;
  const allowed = method === "GET" || method === "HEAD" ? rights?.get : rights?.post;
  if (allowed === undefined) return rights ? null : "Nobody may see this: the route declares no rights.";
  if (allowed === "anybody" || allowed === "members" || scope === null) return null;
  if (hasRight(scope, ...allowed)) return null;
  const roles = ROLES.filter((role) => allowsScope(ROLE_RIGHTS[role], allowed)).map((role) => `${role}s`);
  return `Your role does not allow this. It needs the right ${allowed.join(" or ")}, which ${sayList(roles)} have. An owner or a manager can change your role.`;
}

function sayList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** The pattern as this table has it. The router gives it without the first slash. */
function toDeclared(pattern: string): string {
  return `/${pattern.replace(/^\/+|\/+$/g, "")}`;
}
