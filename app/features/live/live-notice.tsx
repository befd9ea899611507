import { Unplug } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { isRefused } from "./is-refused.ts";
import { useLive } from "./use-live.ts";

/** A restart takes a second or two, so nothing is said before this time. */
const WORTH_SAYING_AFTER_MS = 5_000;

const STALE = "This page may be out of date. Trying again …";
const AWAY = `No connection to the server. ${STALE}`;
const FULL = `Too many live pages are open. Close one. ${STALE}`;
const REFUSED = "You are signed out, or the server asks for something first. Reload the page.";

/** Says that the page gets no news, for as long as that is so. It floats, so that it moves nothing when it appears. */
export function LiveNotice() {
  /** Null: the connection works. */
  const [why, setWhy] = useState<string | null>(null);
  const isTold = useRef(false);
  /** True if the server said that the browser has too many streams. Only then was the connection lost for that reason. */
  const isFull = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  async function sayWhy() {
    const words = isFull.current ? FULL : (await isRefused()) ? REFUSED : AWAY;
    if (timer.current !== undefined) setWhy(words);
  }
  useLive(({ kind }) => {
    if (kind === "full") isTold.current = true;
    if (kind === "lost") {
      isFull.current = isTold.current;
      isTold.current = false;
      if (why !== null) void sayWhy();
      else timer.current ??= setTimeout(sayWhy, WORTH_SAYING_AFTER_MS);
    }
    if (kind !== "opened" && kind !== "resumed") return;
    clearTimeout(timer.current);
    timer.current = undefined;
    setWhy(null);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div role="status" className="live-notice">
      {why !== null && (
        <p>
          <Unplug aria-hidden="true" />
          {why}
        </p>
      )}
    </div>
  );
}
