import { type PointerEvent, useState } from "react";

/** A shorter drag counts as a click. Pixels. */
const MIN_DRAG = 4;

interface DraggedRange {
  fromUs: number;
  toUs: number;
}

/** Chooses a range by dragging over an element. */
export function useRangeDrag(toUs: (share: number) => number, onChoose: (range: DraggedRange) => void) {
  const [dragged, setDragged] = useState<(DraggedRange & { startX: number; startUs: number }) | null>(null);
  const readUs = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return toUs(Math.min(Math.max((event.clientX - left) / width, 0), 1));
  };
  return {
    dragged,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const us = readUs(event);
        setDragged({ fromUs: us, toUs: us, startX: event.clientX, startUs: us });
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (!dragged) return;
        const us = readUs(event);
        setDragged({ ...dragged, fromUs: Math.min(us, dragged.startUs), toUs: Math.max(us, dragged.startUs) });
      },
      onPointerUp(event: PointerEvent<HTMLElement>) {
        if (dragged && Math.abs(event.clientX - dragged.startX) >= MIN_DRAG) onChoose(dragged);
        setDragged(null);
      },
      onPointerCancel() {
        setDragged(null);
      },
    },
  };
}
