import type { ApiScope } from "../../domain/api-token.ts";

/** The use of each scope, as the form says it. */
export const SCOPE_WORDS = {
  "org:ci": "Upload source maps, make releases and deploys: everything that a build needs",
  "project:releases": "Upload source maps, make releases and deploys, as a personal token does",
  "org:read": "Read the organization and its statistics",
  "project:read": "Read projects, keys and releases",
  "project:write": "Change projects, keys and repositories; includes reading and releases",
  "project:admin": "Delete projects and keys; includes changing",
  "event:read": "Read issues and events",
  "event:write": "Resolve and archive issues; includes reading",
  "event:admin": "Delete issues and events; includes the above",
} satisfies Record<ApiScope, string>;

/** The scopes that a build pipeline needs. */
export const DEFAULT_SCOPES: readonly ApiScope[] = ["org:ci"];
