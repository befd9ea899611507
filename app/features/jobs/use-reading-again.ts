import { useEffect } from "react";
import { useNavigation, useRevalidator } from "react-router";

/**
 * As long as something goes on, reads the page again: `pauseMs` after each answer, while somebody can see it. It waits for a
 * navigation to end, because a reading would start that over: where an answer takes longer than the pause, nobody would get away.
 */
export function useReadingAgain(isGoingOn: boolean, pauseMs: number): void {
  const { revalidate } = useRevalidator();
  const isNavigating = useNavigation().state !== "idle";
  useEffect(() => {
    if (!isGoingOn || isNavigating) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isEnded = false;
    const read = async () => {
      if (document.visibilityState === "visible") await revalidate();
      wait();
    };
    const wait = () => {
      if (!isEnded) timer = setTimeout(() => void read(), pauseMs);
    };
    wait();
    return () => {
      isEnded = true;
      clearTimeout(timer);
    };
  }, [isGoingOn, isNavigating, pauseMs, revalidate]);
}
