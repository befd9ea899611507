import { quoteWord } from "../domain/quote-for-shell.ts";

/** Values for the commands that a report does not know. */
export interface ExplainContext {
  /** Base URL of this server, as `sentry-cli` takes it. */
  serverUrl: string;
  org: string;
  project: string;
}

export interface UploadOptions {
  release?: string | null;
  dist?: string | null;
  urlPrefix?: string | null;
}

export function injectCommand(): string {
  return "sentry-cli sourcemaps inject ./dist";
}

/** The line for a shell that uploads a folder. */
export function uploadCommand(
  { serverUrl, org, project }: ExplainContext,
  { release, dist, urlPrefix }: UploadOptions = {},
): string {
  const words = ["sentry-cli", "--url", serverUrl, "sourcemaps", "upload", "--org", org, "--project", project];
  if (release != null) words.push("--release", release);
  if (dist != null) words.push("--dist", dist);
  if (urlPrefix != null) words.push("--url-prefix", urlPrefix);
  words.push("./dist");
  return words.map(quoteWord).join(" ");
}

/** The line for a shell that uploads the mapping of a build of Android's tools. `debugId`: 32 lower-case hex characters. */
export function uploadMappingCommand({ serverUrl, org, project }: ExplainContext, debugId: string): string {
  const words = ["sentry-cli", "--url", serverUrl, "upload-proguard", "--org", org, "--project", project];
  words.push("--uuid", withDashes(debugId), "app/build/outputs/mapping/release/mapping.txt");
  return words.map(quoteWord).join(" ");
}

/** The folder of a file, as the uploader's prefix: `~/assets/`. */
export function prefixOf(urls: readonly string[]): string | null {
  const url = urls.find((each) => each.startsWith("~")) ?? urls[0];
  if (url === undefined) return null;
  return url.replace(/\?.*$/s, "").replace(/[^/]*$/, "");
}

/** A debug id as tools print it. */
export function withDashes(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** `release 1.2, dist 7`, `release 1.2, no dist`, `no release`. */
export function describeRelease(release: string | null, dist: string | null): string {
  if (release === null) return "no release";
  return dist === null ? `release ${release}, no dist` : `release ${release}, dist ${dist}`;
}
