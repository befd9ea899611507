import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";

const NOTICES = "#main :is([role=alert], [role=status]):not(.sr-only)";

/**
 * When a form was answered, brings the answer into sight. It stands above the forms of a page, which may be longer than the window.
 * Who presses something meanwhile has gone on: a page that moved under the pointer would take the press.
 */
export function useAnswerInSight(): void {
  const { state, formMethod } = useNavigation();
  const wasSent = useRef(false);
  const isPressed = useRef(false);
  useEffect(() => {
    const ending = new AbortController();
    const note = (event: Event) => {
      isPressed.current = event.type === "pointerdown";
    };
    for (const type of ["pointerdown", "pointerup", "pointercancel"])
      window.addEventListener(type, note, { capture: true, signal: ending.signal });
    return () => ending.abort();
  }, []);
  useEffect(() => {
    if (state !== "idle") {
      wasSent.current = formMethod === "POST";
      return;
    }
    if (!wasSent.current) return;
    wasSent.current = false;
    if (isPressed.current) return;
    const notice = [...document.querySelectorAll(NOTICES)].find((each) => each.getClientRects().length > 0);
    const place = notice?.getBoundingClientRect();
    if (place && (place.top < 0 || place.bottom > window.innerHeight)) notice?.scrollIntoView({ block: "center" });
  }, [state, formMethod]);
}
