const GAP_PX = 6;
const EDGE_PX = 8;

/** Places the card below its anchor, or above it if there is more room. Its left edge is near `x`, and all of it is inside the window. */
export function placeCard(card: HTMLElement, anchor: DOMRect, x: number): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const { width, height } = card.getBoundingClientRect();
  const roomBelow = clientHeight - anchor.bottom;
  const isBelow = roomBelow >= height + GAP_PX + EDGE_PX || roomBelow >= anchor.top;
  const top = isBelow ? anchor.bottom + GAP_PX : anchor.top - GAP_PX - height;
  card.style.top = `${Math.max(EDGE_PX, Math.min(top, clientHeight - height - EDGE_PX))}px`;
  card.style.left = `${Math.max(EDGE_PX, Math.min(x, clientWidth - width - EDGE_PX))}px`;
}
