import { Unplug } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { findRefusal, type Refusal } from "./find-refusal.ts";
import { useLive } from "./use-live.ts";

/** A restart takes a second or two: by then all is well again, and nobody need know. */
const WORTH_SAYING_AFTER_MS = 5_000;

const STALE = "This page may be out of date. Trying again …";
const WORDS: Readonly<Record<"away" | "full" | Refusal, string>> = {
  away: `No connection to the server. ${STALE}`,
  full: `Too many live pages are open. Close one. ${STALE}`,
  "signed-out": "You are signed out. Reload the page to sign in.",
  asked: "The server asks something of you first. Reload the page.",
};

/** Says that the page hears nothing of what happens, for as long as that is so. It floats, so that its coming moves nothing. */
export function LiveNotice() {
  /** Null: all is well. */
  const [why, setWhy] = useState<keyof typeof WORDS | null>(null);
  const isTold = useRef(false);
  /** Only a connection that was told so was lost for it. */
  const isFull = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  async function sayWhy() {
    const found = isFull.current ? "full" : ((await findRefusal()) ?? "away");
    if (timer.current !== undefined) setWhy(found);
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
          {WORDS[why]}
        </p>
      )}
    </div>
  );
}
