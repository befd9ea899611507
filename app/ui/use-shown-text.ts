import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useNavigationType } from "react-router";

/**
 * Keeps the text of an uncontrolled field equal to the value of the page. It does not touch text that somebody types before script runs, or
 * while the next page loads. Going back still resets the field.
 * Returns whether something was typed since the form was last submitted.
 */
export function useShownText(field: RefObject<HTMLInputElement | null>, text: string): RefObject<boolean> {
  const isEdited = useRef(false);
  const shown = useRef(text);
  const navigationType = useNavigationType();

  useLayoutEffect(() => {
    const input = field.current;
    // Nothing at first: the server has drawn the text, and somebody may have typed already.
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
