import { Unplug } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLive } from "./use-live.ts";

/** A restart takes a second or two: by then all is well again, and nobody need know. */
const WORTH_SAYING_AFTER_MS = 5_000;

/** Says that the page hears nothing of what happens, for as long as that is so. It floats, so that its coming moves nothing. */
export function LiveNotice() {
  const [isLost, setIsLost] = useState(false);
  const [isFull, setIsFull] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive(({ kind }) => {
    if (kind === "lost") timer.current ??= setTimeout(() => setIsLost(true), WORTH_SAYING_AFTER_MS);
    if (kind === "full") setIsFull(true);
    if (kind !== "opened" && kind !== "resumed") return;
    clearTimeout(timer.current);
    timer.current = undefined;
    setIsLost(false);
    setIsFull(false);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div role="status" className="live-notice">
      {isLost && (
        <p>
          <Unplug aria-hidden="true" />
          {isFull ? "Too many live pages are open. Close one." : "No connection to the server."} This page may be out of
          date. Trying again …
        </p>
      )}
    </div>
  );
}
