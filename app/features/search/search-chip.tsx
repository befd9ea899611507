import { X } from "lucide-react";
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import type { Span } from "../../domain/search/search-tree.ts";
import type { SearchToken } from "../../domain/search/split-search.ts";
import { classNames } from "../../ui/class-names.ts";

/** A token as a chip, with the blanks before it. */
export function Chip({
  token,
  index,
  before,
  text,
  errors,
  isEdited,
  isChosen,
}: {
  token: SearchToken;
  index: number;
  /** The blanks before it. */
  before: string;
  text: string;
  errors: readonly Span[];
  isEdited: boolean;
  isChosen: boolean;
}) {
  return (
    <>
      {before}
      <span
        data-token={index}
        className={classNames("search-chip", `is-${token.kind}`, isEdited && "is-edited", isChosen && "is-chosen")}
      >
        {token.parts.map(({ role, from, to }) => (
          <span key={from} className={`search-chip-${role}`}>
            {markErrors(text, { from, to }, errors)}
          </span>
        ))}
      </span>
    </>
  );
}

/** The button at the corner of a chip. It is no tab stop, because the keyboard removes chips in the field. */
export function RemoveButton({
  line,
  index,
  name,
  onRemove,
}: {
  line: RefObject<HTMLDivElement | null>;
  index: number;
  name: string;
  onRemove: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const chip = line.current?.querySelector(`[data-token="${index}"]`)?.getBoundingClientRect();
    const box = line.current?.parentElement?.getBoundingClientRect();
    if (!button.current || !chip || !box) return;
    button.current.style.left = `${Math.min(chip.right, box.right) - box.left}px`;
  });
  return (
    <button
      ref={button}
      type="button"
      tabIndex={-1}
      className="search-chip-remove"
      aria-label={`Remove ${name}`}
      // A press would take the focus from the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onRemove}
    >
      <X aria-hidden="true" />
    </button>
  );
}

function markErrors(text: string, { from, to }: Span, errors: readonly Span[]): ReactNode[] {
  const pieces: ReactNode[] = [];
  let at = from;
  for (const error of errors) {
    // A missing part is marked at the letter before it.
    const start = Math.max(at, error.from === error.to ? error.from - 1 : error.from);
    const end = Math.min(to, Math.max(error.to, start + 1));
    if (start >= to || error.to < from || end <= start) continue;
    pieces.push(
      text.slice(at, start),
      <span key={start} className="search-chip-error">
        {text.slice(start, end)}
      </span>,
    );
    at = end;
  }
  pieces.push(text.slice(at, to));
  return pieces;
}
