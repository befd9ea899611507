import { type RefObject, useEffect, useState } from "react";

/**
 * Whether somebody reads the rows: the pointer is over them, the focus is in them, or the page is scrolled past `top`. New rows
 * would move the text under the reader.
 */
export function useReading(rows: RefObject<HTMLElement | null>, top: RefObject<HTMLElement | null>): boolean {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isPast, setPast] = useState(false);
  useEffect(() => {
    const element = rows.current;
    if (!element) return;
    // The pointer may have been there before script loaded.
    setPointed(matchMedia("(hover: hover)").matches && element.matches(":hover"));
    const onEnter = ({ pointerType }: PointerEvent) => setPointed(pointerType === "mouse");
    const onLeave = () => setPointed(false);
    const onFocus = () => setFocused(true);
    const onBlur = ({ relatedTarget }: FocusEvent) => setFocused(element.contains(relatedTarget as Node | null));
    element.addEventListener("pointerenter", onEnter);
    element.addEventListener("pointerleave", onLeave);
    element.addEventListener("focusin", onFocus);
    element.addEventListener("focusout", onBlur);
    return () => {
      element.removeEventListener("pointerenter", onEnter);
      element.removeEventListener("pointerleave", onLeave);
      element.removeEventListener("focusin", onFocus);
      element.removeEventListener("focusout", onBlur);
    };
  }, [rows]);
  useEffect(() => {
    const element = top.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      if (last) setPast(isAbove(last));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [top]);
  return isPointed || isFocused || isPast;
}

/** True if the element is above the visible part. If it is below, nobody has reached the rows yet. */
function isAbove({ isIntersecting, boundingClientRect }: IntersectionObserverEntry): boolean {
  return !isIntersecting && boundingClientRect.bottom <= 0;
}
