import type { ApiScope } from "../../domain/api-token.ts";

/** The use of each scope, in the words of the form. */
export const SCOPE_WORDS = {
  "org:ci": "Upload source maps, make releases and deploys: everything that a build needs",
  "project:releases": "Upload source maps, make releases and deploys, as a personal token does",
  "org:read": "Read the organization and its statistics",
  "org:write": "Change settings of the organization; includes reading",
  "org:admin": "What only owners may do, like deleting projects; includes the above",
  "member:read": "Read who is a member",
  "member:write": "Invite members, change their roles, teams and projects; includes reading",
  "member:admin": "Remove members; includes the above",
  "team:read": "Read teams",
  "team:write": "Change teams that you are in; includes reading",
  "team:admin": "Change and delete every team; includes the above",
  "project:read": "Read projects, keys and releases",
  "project:write": "Change projects, keys and repositories; includes reading and releases",
  "project:admin": "Delete keys, and projects of an owner; includes changing",
  "event:read": "Read issues and events",
  "event:write": "Resolve and archive issues; includes reading",
  "event:admin": "Delete issues and events; includes the above",
  "uptime:check": "Check addresses for uptime monitors: tokens of locations have it",
} satisfies Record<ApiScope, string>;

/** The scopes that a build pipeline needs. */
export const DEFAULT_SCOPES: readonly ApiScope[] = ["org:ci"];
