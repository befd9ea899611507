/**
 * Pixels that rows may take. Firefox ends a box at 17.9 million and Chromium at 33.5 million, and from 16.8 million on Chromium places rows to
 * two pixels only.
 */
export const MAX_ROWS_PX = 8_000_000;

/** How what is scrolled stands to rows that may be more than a box can hold. Offsets are pixels from the top of the first row. */
export interface RowScroll {
  toOffset(scrollTop: number): number;
  toScrollTop(offset: number): number;
}

/** Where rows fit into the box, a pixel is a pixel. Else one that is scrolled is several of the rows, and the ends are the same. */
export function scaleScroll(rows: { count: number; height: number }, frameHeight: number): RowScroll {
  const whole = rows.count * rows.height;
  const scale = whole <= MAX_ROWS_PX ? 1 : (whole - frameHeight) / (MAX_ROWS_PX - frameHeight);
  return { toOffset: (scrollTop) => scrollTop * scale, toScrollTop: (offset) => offset / scale };
}
