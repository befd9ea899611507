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
 * slash and leave out control characters, so that `/\\evil.example` and `/<tab>/evil.example` are other sites. It is written as in
 * an address: the header of a redirect takes no other characters.
 */
export function toLocalPath(to: string | null): string {
  if (!to?.startsWith("/") || hasUnsafeCharacter(to)) return "/issues";
  const { pathname, search, hash } = new URL(PLACE + to);
  // `/.//evil.example` is another site once its dot is gone.
  return pathname.startsWith("//") ? "/issues" : pathname + search + hash;
}

/** Of no meaning: a path is read as part of an address. */
const PLACE = "http://localhost";

function hasUnsafeCharacter(path: string): boolean {
  return [...path].some((character) => character <= " " || character === "\\" || character === "\u007f");
}
