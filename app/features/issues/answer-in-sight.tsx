import { type ReactNode, useEffect, useRef, useState } from "react";

/** The same time as the undo of other messages. */
const SHOW_MS = 10_000;

/**
 * Shows the answer to a change at the head of the page. A reader who made the change far below, in the activity, would not see it
 * there: then the answer floats at the bottom of the window for `SHOW_MS`, or until its own place comes into sight.
 */
export function AnswerInSight({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => setIsAway(entries.at(-1)?.isIntersecting === false));
    observer.observe(element);
    const timer = setTimeout(() => {
      observer.disconnect();
      setIsAway(false);
    }, SHOW_MS);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, []);
  return (
    <div ref={place} className="issue-answer" data-away={isAway || undefined}>
      <div>{children}</div>
    </div>
  );
}
