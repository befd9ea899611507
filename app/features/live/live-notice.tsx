import { Unplug } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLive } from "./use-live.ts";

/** A restart takes a second or two: by then all is well again, and nobody need know. */
const WORTH_SAYING_AFTER_MS = 5_000;

/** Says that the page hears nothing of what happens, for as long as that is so. It floats, so that its coming moves nothing. */
export function LiveNotice() {
  const [isLost, setIsLost] = useState(false);
  const [isFull, setIsFull] = useState(false);
  /** Since the last loss: only a connection that was told so was lost for it. */
  const isTold = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive(({ kind }) => {
    if (kind === "full") isTold.current = true;
    if (kind === "lost") {
      timer.current ??= setTimeout(() => setIsLost(true), WORTH_SAYING_AFTER_MS);
      setIsFull(isTold.current);
      isTold.current = false;
    }
    if (kind !== "opened" && kind !== "resumed") return;
    clearTimeout(timer.current);
    timer.current = undefined;
    setIsLost(false);
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
