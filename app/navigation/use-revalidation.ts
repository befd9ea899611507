import { useCallback, useEffect, useRef } from "react";
import { useRevalidator } from "react-router";

/**
 * Returns a function that reloads the page's data. Calls during a reload lead to one more reload afterwards. Otherwise the router would end
 * the reload under way, and a page that hears of changes faster than it can be read would never show one.
 */
export function useRevalidation(): () => void {
  const { revalidate } = useRevalidator();
  const isRunning = useRef(false);
  const isAskedAgain = useRef(false);
  useEffect(
    () => () => {
      isAskedAgain.current = false;
    },
    [],
  );
  return useCallback(() => {
    isAskedAgain.current = true;
    if (isRunning.current) return;
    isRunning.current = true;
    const run = async () => {
      while (isAskedAgain.current) {
        isAskedAgain.current = false;
        await revalidate();
      }
      isRunning.current = false;
    };
    void run();
  }, [revalidate]);
}
