import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * For a part of a page whose links and buttons may go with another page: when one that has the focus is gone, this part takes the focus, so that the
 * next Tab goes on from here. It needs `tabIndex={-1}`, unless `findNext` names what within it takes the focus instead.
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
    // What is removed loses its focus, too: then it is not in the page any more.
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

/** Around what an answer draws anew, so that its forms begin again: what had the focus is gone then, and this part takes it. */
export function KeptFocus({ children }: { children: ReactNode }) {
  const part = useKeptFocus<HTMLDivElement>();
  return (
    <div ref={part} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-4 focus:outline-none">
      {children}
    </div>
  );
}
