import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * For a part of a page whose links and buttons may disappear with another page. If the one with the focus disappears, this part takes the
 * focus, so that the next Tab continues here. The part needs `tabIndex={-1}`, unless `findNext` returns an element in it that takes the
 * focus instead.
 */
export function useKeptFocus<Part extends HTMLElement>(
  findNext: (part: Part) => HTMLElement | null = (part) => part,
): RefObject<Part | null> {
  const part = useRef<Part>(null);
  const hasFocus = useRef(false);
  useEffect(() => {
    const element = part.current;
    if (!element) return;
    const onIn = () => {
      hasFocus.current = true;
    };
    // An element that is removed also loses its focus, but by then it is not in the page any more.
    const onOut = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if ((target as Node).isConnected) hasFocus.current = element.contains(document.activeElement);
      });
    element.addEventListener("focusin", onIn);
    element.addEventListener("focusout", onOut);
    return () => {
      element.removeEventListener("focusin", onIn);
      element.removeEventListener("focusout", onOut);
    };
  }, []);
  useLayoutEffect(() => {
    if (!part.current || !hasFocus.current || document.activeElement !== document.body) return;
    findNext(part.current)?.focus({ preventScroll: true });
  });
  return part;
}

/**
 * Surrounds a part that is drawn anew after an answer, so that its forms begin again. The element with the focus is gone then, and this
 * part takes the focus.
 */
export function KeptFocus({ children }: { children: ReactNode }) {
  const part = useKeptFocus<HTMLDivElement>();
  return (
    <div ref={part} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-4 focus:outline-none">
      {children}
    </div>
  );
}
