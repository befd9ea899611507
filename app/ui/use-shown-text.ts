import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useNavigationType } from "react-router";

/**
 * Keeps the text of an uncontrolled field at what the page shows, but for what somebody is typing: before script is there,
 * or on, while the page that was asked for is on its way. Going back resets it all the same.
 *
 * Gives whether something was typed since its form was last submitted.
 */
export function useShownText(field: RefObject<HTMLInputElement | null>, text: string): RefObject<boolean> {
  const isEdited = useRef(false);
  const shown = useRef(text);
  const navigationType = useNavigationType();

  useLayoutEffect(() => {
    const input = field.current;
    // Not at first: the server has drawn it, and somebody may have typed already.
    if (!input || shown.current === text) return;
    shown.current = text;
    if (isEdited.current && input === document.activeElement && navigationType !== "POP") return;
    input.value = text;
    isEdited.current = false;
  }, [field, text, navigationType]);

  useEffect(() => {
    const input = field.current;
    const ending = new AbortController();
    const { signal } = ending;
    const note = (is: boolean) => () => {
      isEdited.current = is;
    };
    input?.addEventListener("input", note(true), { signal });
    input?.form?.addEventListener("submit", note(false), { signal });
    return () => ending.abort();
  }, [field]);
  return isEdited;
}
