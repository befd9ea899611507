import type { Resolution } from "../../domain/release.ts";
import { cleanReleaseVersion } from "../../domain/release-version.ts";

const MAX_COMMIT_LENGTH = 64;
const MAX_REPOSITORY_LENGTH = 200;

/**
 * The resolution as text: `r/web%401.4.0`, `n` or `n/web%401.3.0`, `c/4f2e…/acme%2Fshop`. Empty for null. The text has neither
 * colon nor comma.
 */
export function serializeResolution(resolution: Resolution | null): string {
  const join = (...parts: string[]) => parts.map(encodeURIComponent).join("/");
  switch (resolution?.kind) {
    case undefined:
      return "";
    case "release":
      return join("r", resolution.version);
    case "next_release":
      return resolution.after === null ? "n" : join("n", resolution.after);
    case "commit":
      return join("c", resolution.commitId, resolution.repository);
  }
}

/** Undefined: the text is not from `serializeResolution`. */
export function parseResolution(text: string): Resolution | null | undefined {
  if (text === "") return null;
  let parts: string[];
  try {
    parts = text.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
  const [kind, first, second] = parts;
  if (kind === "n" && parts.length === 1) return { kind: "next_release", after: null };
  if ((kind === "n" || kind === "r") && parts.length === 2) {
    const version = cleanReleaseVersion(first ?? "");
    if (version === null) return undefined;
    return kind === "r" ? { kind: "release", version } : { kind: "next_release", after: version };
  }
  return kind === "c" && parts.length === 3 ? toCommitResolution(first ?? "", second ?? "") : undefined;
}

/** Undefined: the id or the repository is not valid. */
export function toCommitResolution(commitId: string, repository: string): Resolution | undefined {
  const id = commitId.trim();
  if (!/^[0-9a-z._-]+$/i.test(id) || id.length > MAX_COMMIT_LENGTH) return undefined;
  if (repository.length > MAX_REPOSITORY_LENGTH) return undefined;
  return { kind: "commit", commitId: id, repository: repository.trim() };
}
