import { type RefObject, useLayoutEffect, useState } from "react";
import { scaleScroll } from "./row-scroll.ts";

/** Pixels. `trace.css` has the same values. */
const ROW_HEIGHT = 26;
const PHONE_ROW_HEIGHT = 44;
/** Rows to draw before the height of the frame is known. With the rows around them they fill a tall window. */
const FIRST_SHOWN = 25;

/** Which rows a scrolling frame shows. All rows have one height, which depends on the width of the screen. */
export function useShownRows(frame: RefObject<HTMLElement | null>, rows: { from: number; count: number }) {
  const rowHeight = useRowHeight();
  const [shown, setShown] = useState({ from: rows.from, to: rows.from + FIRST_SHOWN, shiftPx: 0 });
  const scrollIn = (element: HTMLElement) =>
    scaleScroll({ count: rows.count, height: rowHeight }, element.clientHeight);

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const note = () => {
      const { scrollTop, clientHeight } = element;
      const offset = scaleScroll({ count: rows.count, height: rowHeight }, clientHeight).toOffset(scrollTop);
      const from = Math.floor(offset / rowHeight);
      const to = Math.ceil((offset + clientHeight) / rowHeight);
      const shiftPx = scrollTop - offset;
      setShown((before) =>
        before.from === from && before.to === to && before.shiftPx === shiftPx ? before : { from, to, shiftPx },
      );
    };
    note();
    element.addEventListener("scroll", note, { passive: true });
    const observer = new ResizeObserver(note);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", note);
      observer.disconnect();
    };
  }, [frame, rowHeight, rows.count]);

  const scrollTo = (row: number) => {
    const element = frame.current;
    if (!element) return;
    const top = row * rowHeight;
    const scroll = scrollIn(element);
    const offset = scroll.toOffset(element.scrollTop);
    if (top < offset) element.scrollTop = scroll.toScrollTop(top - rowHeight);
    else if (top + 2 * rowHeight > offset + element.clientHeight)
      element.scrollTop = scroll.toScrollTop(top + 2 * rowHeight - element.clientHeight);
  };

  /** Whether a row is drawn where it belongs. The rows follow the frame a little later. */
  const isInPlace = (row: HTMLElement, number: number) => {
    const element = frame.current;
    if (!element) return false;
    const expectedPx = number * rowHeight - scrollIn(element).toOffset(element.scrollTop);
    const top = row.getBoundingClientRect().top - element.getBoundingClientRect().top - element.clientTop;
    return Math.abs(top - expectedPx) < rowHeight / 2;
  };

  return { rowHeight, shown, scrollTo, isInPlace };
}

function useRowHeight(): number {
  const [isPhone, setIsPhone] = useState(false);
  useLayoutEffect(() => {
    const query = matchMedia("(max-width: 44rem)");
    const note = () => setIsPhone(query.matches);
    note();
    query.addEventListener("change", note);
    return () => query.removeEventListener("change", note);
  }, []);
  return isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT;
}
