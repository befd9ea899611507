import type { ProjectKey } from "../../domain/project.ts";

/** The DSN by which SDKs reach this server with the key. `baseUrl` may have a path, and no trailing slash. */
export function toDsn(baseUrl: string, key: Pick<ProjectKey, "publicKey" | "projectId">): string {
  const base = new URL(baseUrl);
  return `${base.protocol}//${key.publicKey}@${base.host}${base.pathname.replace(/\/$/, "")}/${key.projectId}`;
}

/** The loader script of the key: the one tag that a page needs. */
export function toLoaderUrl(baseUrl: string, key: Pick<ProjectKey, "publicKey">): string {
  return `${baseUrl.replace(/\/$/, "")}/js-sdk-loader/${key.publicKey}.min.js`;
}

/** The tag. `crossorigin` lets the browser tell pages what an error of the script was. */
export function loaderTag(loaderUrl: string): string {
  return `<script src="${loaderUrl}" crossorigin="anonymous"></script>`;
}
