import { redirect } from "react-router";
import type { User } from "../../domain/user.ts";

/** @throws a redirect to sign-in that comes back to `url` afterwards. */
export function requireViewer(viewer: User | null, url: URL): User {
  if (viewer) return viewer;
  const back = url.pathname + url.search;
  throw redirect(back === "/" || back === "/issues" ? "/sign-in" : `/sign-in?to=${encodeURIComponent(back)}`);
}

/**
 * A path of this site that a form may lead back to; anything else becomes the issue list. Browsers read a backslash as a
 * slash and leave out control characters, so that `/\\evil.example` and `/<tab>/evil.example` are other sites.
 */
export function toLocalPath(to: string | null): string {
  if (!to?.startsWith("/") || to.startsWith("//") || hasUnsafeCharacter(to)) return "/issues";
  return to;
}

function hasUnsafeCharacter(path: string): boolean {
  return [...path].some((character) => character <= " " || character === "\\" || character === "\u007f");
}
