import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { type CellRange, spanCells } from "./heatmap-cells.ts";

interface BrushOptions {
  columns: number;
  rows: number;
  /** The selected cells. Null: none. */
  selected: CellRange | null;
  /** Returns the cells where the keyboard begins. */
  start: () => CellRange;
  /** Called with null when the selection ends. */
  onSelect: (cells: CellRange | null) => void;
}

type Corner = [column: number, row: number];

/** A rectangle of cells that is drawn with the pointer or moved with keys. It is selected when the pointer is released, or with Enter. */
export function useBrush({ columns, rows, selected, start, onSelect }: BrushOptions) {
  // The drawn rectangle is valid until something else is selected.
  const place = JSON.stringify(selected);
  const [drawn, setDrawn] = useState<{ cells: CellRange; place: string } | null>(null);
  const [anchor, setAnchor] = useState<Corner | null>(null);
  const cells = drawn?.place === place ? drawn.cells : selected;
  const setDraft = (draft: CellRange | null) => setDrawn(draft && { cells: draft, place });
  const toCorner = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Corner => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const within = (share: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
    return [within((clientX - left) / width, columns), rows - 1 - within((clientY - top) / height, rows)];
  };
  const finish = (chosen: CellRange | null) => {
    setDraft(chosen);
    setAnchor(null);
    onSelect(chosen);
  };
  return {
    cells,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const corner = toCorner(event);
        setAnchor(corner);
        setDraft(spanCells(corner, corner));
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (anchor) setDraft(spanCells(anchor, toCorner(event)));
      },
      onPointerUp(event: PointerEvent<HTMLElement>) {
        if (anchor) finish(spanCells(anchor, toCorner(event)));
      },
      onPointerCancel() {
        setDraft(null);
        setAnchor(null);
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        const step = STEPS[event.key];
        if (step)
          setDraft(cells === null ? start() : moveCells(cells, step, { columns, rows, isResize: event.shiftKey }));
        else if (event.key === "Enter" && cells) finish(cells);
        else if (event.key === "Escape" && cells) finish(null);
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}

const STEPS: Readonly<Record<string, Corner>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** The rectangle moved as a whole, or only at its end. It stays within the map. */
function moveCells(
  { column, lastColumn, row, lastRow }: CellRange,
  [right, up]: Corner,
  { columns, rows, isResize }: { columns: number; rows: number; isResize: boolean },
): CellRange {
  if (isResize)
    return {
      column,
      row,
      lastColumn: Math.min(columns - 1, Math.max(column, lastColumn + right)),
      lastRow: Math.min(rows - 1, Math.max(row, lastRow + up)),
    };
  if (column + right < 0 || lastColumn + right >= columns || row + up < 0 || lastRow + up >= rows)
    return { column, lastColumn, row, lastRow };
  return { column: column + right, lastColumn: lastColumn + right, row: row + up, lastRow: lastRow + up };
}
