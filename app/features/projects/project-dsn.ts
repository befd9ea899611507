import type { ProjectKey } from "../../domain/project.ts";

/** The DSN by which SDKs reach this server with the key. `baseUrl` may have a path, and no trailing slash. */
export function toDsn(baseUrl: string, key: Pick<ProjectKey, "publicKey" | "projectId">): string {
  const base = new URL(baseUrl);
  return `${base.protocol}//${key.publicKey}@${base.host}${base.pathname.replace(/\/$/, "")}/${key.projectId}`;
}
