import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";

const INVALID = "#main form [aria-invalid=true]";
const NOTICES = "#main :is([role=alert], [role=status]):not(.sr-only)";

/**
 * Brings the answer to a form into sight. A field that was refused gets the focus, so that a screen reader reads what is wrong with it.
 * If what was pressed is gone, the answer gets it, so that Tab goes on from there. Any other answer stands above the forms of a page, which may be longer than the window. If somebody presses something meanwhile, the page
 * does not move: a page that moves under the pointer would get the press.
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
    const field = document.querySelector<HTMLElement>(INVALID);
    if (field) return field.focus();
    const notice = [...document.querySelectorAll<HTMLElement>(NOTICES)].find(
      (each) => each.textContent !== "" && each.getClientRects().length > 0,
    );
    if (!notice) return;
    const place = notice.getBoundingClientRect();
    if (place.top < 0 || place.bottom > window.innerHeight) notice.scrollIntoView({ block: "center" });
    if (document.activeElement !== document.body) return;
    notice.tabIndex = -1;
    notice.focus({ preventScroll: true });
  }, [state, formMethod]);
}
