import { readSessionKey } from "../auth/session.server.ts";

/**
 * The most streams of one browser over HTTP/1.1. A browser opens at most six connections to a server. Without a bound, a few windows would
 * hold all of them, and no page could load any more.
 */
const MAX_STREAMS_OF_BROWSER = 4;

/** The number of open streams, by session. */
const openCounts = new Map<string, number>();

/**
 * Takes a place for a stream. Returns a function that frees it once. Null: the browser has as many streams as it may have. Only its pages
 * know how they were loaded, so they say with `http=1.1` that connections are few.
 */
export async function takeBrowserPlace(request: Request): Promise<(() => void) | null> {
  const key = new URL(request.url).searchParams.get("http") === "1.1" ? await readSessionKey(request) : null;
  if (key === null) return () => undefined;
  const openCount = openCounts.get(key) ?? 0;
  if (openCount >= MAX_STREAMS_OF_BROWSER) return null;
  openCounts.set(key, openCount + 1);
  let isHere = true;
  return () => {
    if (!isHere) return;
    isHere = false;
    const left = (openCounts.get(key) ?? 1) - 1;
    if (left === 0) openCounts.delete(key);
    else openCounts.set(key, left);
  };
}
