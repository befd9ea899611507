import { type FocusEvent, type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { useIsHydrated } from "../../ui/clock.tsx";

interface RovingFocus {
  ref: RefObject<HTMLDivElement | null>;
  onFocus(event: FocusEvent): void;
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * Makes rows of links one stop of Tab, like toolbars in WAI-ARIA: arrow keys, Home and End move within. Tab returns to the link
 * that had the focus last. Without script, each link is a stop.
 * @param links the number of all links
 * @param columns the number of links in a row
 */
export function useRovingFocus({ links, columns }: { links: number; columns: number }): {
  group: RovingFocus;
  toTabIndex: (index: number) => -1 | undefined;
} {
  const isHydrated = useIsHydrated();
  const ref = useRef<HTMLDivElement>(null);
  const [last, setLast] = useState(0);
  const stop = last < links ? last : 0;
  const list = () => [...(ref.current?.querySelectorAll("a") ?? [])];
  const group: RovingFocus = {
    ref,
    onFocus({ target }) {
      const index = list().indexOf(target as HTMLAnchorElement);
      if (index >= 0) setLast(index);
    },
    onKeyDown(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const column = stop % columns;
      const next: Readonly<Record<string, number>> = {
        ArrowDown: stop + columns,
        ArrowUp: stop - columns,
        ArrowRight: column < columns - 1 ? stop + 1 : stop,
        ArrowLeft: column > 0 ? stop - 1 : stop,
        Home: column,
        End: links - columns + column,
      };
      const to = next[event.key];
      if (to === undefined) return;
      event.preventDefault();
      list()[to]?.focus();
    },
  };
  return { group, toTabIndex: (index) => (isHydrated && index !== stop ? -1 : undefined) };
}
