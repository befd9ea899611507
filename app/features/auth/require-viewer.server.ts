import { redirect } from "react-router";
import type { User } from "../../domain/user.ts";

/** @throws a redirect to sign-in that returns to `url` afterwards */
export function requireViewer(viewer: User | null, url: URL): User {
  if (viewer) return viewer;
  const back = url.pathname + url.search;
  throw redirect(back === "/" || back === "/issues" ? "/sign-in" : `/sign-in?to=${encodeURIComponent(back)}`);
}

/**
 * A path of this site that a form may lead back to. Anything else becomes the issue list. Browsers read a backslash as a slash and
 * ignore control characters, so `/\\evil.example` and `/<tab>/evil.example` are other sites. The path is escaped as in an address:
 * the header of a redirect accepts no other characters.
 */
export function toLocalPath(to: string | null): string {
  if (!to?.startsWith("/") || hasUnsafeCharacter(to)) return "/issues";
  const { pathname, search, hash } = new URL(PLACE + to);
  // `/.//evil.example` becomes another site once the dot is removed.
  return pathname.startsWith("//") ? "/issues" : pathname + search + hash;
}

/** Only for parsing: a path is read as part of an address. */
const PLACE = "http://localhost";

function hasUnsafeCharacter(path: string): boolean {
  return [...path].some((character) => character <= " " || character === "\\" || character === "\u007f");
}
