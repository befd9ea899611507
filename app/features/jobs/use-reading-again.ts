import { useEffect } from "react";
import { useNavigation, useRevalidator } from "react-router";

/**
 * Reads the page again while something is going on: `pauseMs` after each answer, while the page is visible. It waits for a navigation to
 * end, because a reading would restart the navigation. If an answer takes longer than the pause, nobody could leave the page.
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
