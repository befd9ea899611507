import type { IncomingHttpHeaders } from "node:http";
import type { ProjectKey } from "../domain/project.ts";
import type { Credentials, CredentialsResult } from "../protocol/auth-header.ts";
import type { KeyRing } from "./key-ring.ts";
import { Refusal, type RefusalCode } from "./refusal.ts";

export type Authorization =
  | { ok: true; key: ProjectKey; client: string | null }
  /** `projectId`: the project under which the loss is counted. Null: unknown. */
  | { ok: false; refusal: Refusal; projectId: number | null };

const CODE_BY_PROBLEM = {
  "missing-credentials": "missing_credentials",
  "invalid-credentials": "invalid_credentials",
  "conflicting-keys": "conflicting_keys",
  "unsupported-version": "unsupported_version",
} as const satisfies Record<Extract<CredentialsResult, { ok: false }>["code"], RefusalCode>;

/** Whether these credentials may send to this project from this origin. Uses no I/O. `projectId` null: the key decides the project. */
export function authorizeRequest(
  result: CredentialsResult,
  projectId: number | null,
  headers: IncomingHttpHeaders,
  keys: KeyRing,
): Authorization {
  if (!result.ok)
    return { ok: false, refusal: new Refusal(CODE_BY_PROBLEM[result.code], result.detail), projectId: null };
  return authorizeCredentials(result.credentials, projectId, headers, keys);
}

function authorizeCredentials(
  credentials: Credentials,
  projectId: number | null,
  headers: IncomingHttpHeaders,
  keys: KeyRing,
): Authorization {
  const refuse = (code: RefusalCode, detail: string, lossOf: number | null = null): Authorization => ({
    ok: false,
    refusal: new Refusal(code, detail),
    projectId: lossOf,
  });
  const entry = keys.find(credentials.publicKey);
  if (!entry) {
    if (!keys.isLoaded) {
      return {
        ok: false,
        refusal: new Refusal("starting", "the server is starting", { retryAfterSeconds: 1 }),
        projectId: null,
      };
    }
    return refuse("unknown_key", "event submission rejected: this client key does not exist");
  }
  const { key, isOriginAllowed } = entry;
  const wanted = projectId ?? credentials.projectId ?? key.projectId;
  if (wanted !== key.projectId || (credentials.projectId !== null && credentials.projectId !== key.projectId)) {
    return refuse("project_mismatch", "event submission rejected: this client key is not of this project");
  }
  if (!key.isEnabled)
    return refuse("key_disabled", "event submission rejected: this client key is disabled", key.projectId);
  if (!isOriginAllowed(headers.origin, headers.referer)) {
    return refuse(
      "origin_not_allowed",
      "event submission rejected: this origin is not allowed for the project",
      key.projectId,
    );
  }
  return { ok: true, key, client: credentials.client };
}
