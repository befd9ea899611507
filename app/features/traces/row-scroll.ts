/**
 * The greatest height of all rows in pixels. Firefox limits a box to 17.9 million pixels and Chromium to 33.5 million, and from
 * 16.8 million on Chromium places rows only to two pixels.
 */
export const MAX_ROWS_PX = 8_000_000;

/**
 * Converts between the scroll position of a box and the position in its rows, which may be taller than a box can be. Offsets are
 * pixels from the top of the first row.
 */
export interface RowScroll {
  toOffset(scrollTop: number): number;
  toScrollTop(offset: number): number;
}

/**
 * If the rows fit into the box, positions are equal. Otherwise one scrolled pixel stands for several pixels of rows, and both ends
 * match.
 */
export function scaleScroll(rows: { count: number; height: number }, frameHeight: number): RowScroll {
  const whole = rows.count * rows.height;
  const scale = whole <= MAX_ROWS_PX ? 1 : (whole - frameHeight) / (MAX_ROWS_PX - frameHeight);
  return { toOffset: (scrollTop) => scrollTop * scale, toScrollTop: (offset) => offset / scale };
}
