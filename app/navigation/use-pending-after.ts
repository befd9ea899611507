import { useEffect, useState } from "react";
import { useNavigation } from "react-router";
import { PENDING_BAR_AFTER_MS } from "./navigation-limits.ts";

/** Whether a navigation has been under way for longer than `afterMs`; a quick one is never shown. */
export function usePendingAfter(afterMs: number = PENDING_BAR_AFTER_MS): boolean {
  const isNavigating = useNavigation().state !== "idle";
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isNavigating) return;
    const timer = setTimeout(() => setIsLate(true), afterMs);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isNavigating, afterMs]);
  return isNavigating && isLate;
}
