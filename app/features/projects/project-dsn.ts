import type { ProjectKey } from "../../domain/project.ts";

/** The DSN with which SDKs reach this server. `baseUrl` may have a path, but no trailing slash. */
export function toDsn(baseUrl: string, key: Pick<ProjectKey, "publicKey" | "projectId">): string {
  const base = new URL(baseUrl);
  return `${base.protocol}//${key.publicKey}@${base.host}${base.pathname.replace(/\/$/, "")}/${key.projectId}`;
}

/** The address of the key's loader script. */
export function toLoaderUrl(baseUrl: string, key: Pick<ProjectKey, "publicKey">): string {
  return `${baseUrl.replace(/\/$/, "")}/js-sdk-loader/${key.publicKey}.min.js`;
}

/** The one script tag that a page needs. With `crossorigin`, the browser tells the page about errors in the script. */
export function loaderTag(loaderUrl: string): string {
  return `<script src="${loaderUrl}" crossorigin="anonymous"></script>`;
}
