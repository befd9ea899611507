import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { parseSearch } from "../../domain/search/parse-search.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { removeToken, type SearchToken, splitSearch } from "../../domain/search/split-search.ts";
import { type CaretKey, type CaretMode, describeChosen, moveInSearch, type SearchCaret } from "./move-in-search.ts";
import { replaceText } from "./replace-text.ts";
import { Chip, RemoveButton } from "./search-chip.tsx";

export interface SearchChipsControls {
  /** True when the key was for a chip. */
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): boolean;
  /** Reads the field again: something other than typing changed it. */
  refresh(): void;
}

export interface SearchChipsProps {
  controls: RefObject<SearchChipsControls | null>;
  field: RefObject<HTMLInputElement | null>;
  /** The search that the page shows. */
  search: string;
  /** The parts of the search that are not understood. */
  errors: readonly SearchError[];
  /** Called after a chip was opened or changed. */
  onMoved: (isOpened: boolean) => void;
}

const EMPTY: SearchCaret & { isFocused: boolean } = { search: "", from: 0, to: 0, mode: null, isFocused: false };
const KEYS: ReadonlySet<string> = new Set<CaretKey>(["ArrowLeft", "ArrowRight", "Enter", "Escape"]);

/**
 * Draws the text of the field as chips below it, each letter at the same place. The field stays a text field, with the caret, selection,
 * clipboard and undo of the browser. A chosen chip is a selected part of the text.
 */
export default function SearchChips({ controls, field, search, errors, onMoved }: SearchChipsProps) {
  const mode = useRef<CaretMode>(null);
  const isActing = useRef(false);
  /** Whether text that is typed at the end begins another word: the person came with `/`, or has just searched. */
  const beginsWord = useRef(false);
  const [shown, setShown] = useState(EMPTY);
  const [said, setSaid] = useState("");
  const [pointed, setPointed] = useState<number | null>(null);
  const line = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);

  const read = (): SearchCaret | null => {
    const input = field.current;
    if (!input) return null;
    const from = input.selectionStart ?? input.value.length;
    return { search: input.value, from, to: input.selectionEnd ?? from, mode: mode.current };
  };
  const refresh = () => {
    const now = read();
    if (!now) return;
    const isFocused = document.activeElement === field.current;
    if (!isFocused || !isModeOf(now)) mode.current = null;
    setShown((before) => {
      const next = { ...now, mode: mode.current, isFocused };
      return (Object.keys(next) as Array<keyof typeof next>).every((key) => next[key] === before[key]) ? before : next;
    });
    if (line.current) line.current.style.translate = `${-(field.current?.scrollLeft ?? 0)}px 0`;
  };
  const apply = (next: SearchCaret, announced: string) => {
    const input = field.current;
    if (!input) return;
    isActing.current = true;
    if (next.search !== input.value) replaceText(input, next.search);
    mode.current = next.mode;
    input.setSelectionRange(next.from, next.to);
    isActing.current = false;
    setSaid(announced);
    refresh();
    onMoved(next.mode === "opened");
  };
  /** True when the key was for a chip. */
  const act = (key: CaretKey): boolean => {
    const now = read();
    const next = now && moveInSearch(key, now);
    if (!now || !next) return false;
    const isRemoved = now.mode === "chosen" && (key === "Backspace" || key === "Delete");
    const removed = `Removed ${now.search.slice(now.from, now.to)}.`;
    apply(next, isRemoved ? removed : next.mode === "opened" ? "Editing." : describeChosen(next));
    return true;
  };
  const remove = (index: number, token: SearchToken) => {
    const input = field.current;
    if (!input) return;
    const { search: rest, caret } = removeToken(input.value, index);
    const text = input.value.slice(token.from, token.to);
    input.focus();
    apply({ search: rest, from: caret, to: caret, mode: null }, `Removed ${text}.`);
    setPointed(null);
  };

  useImperativeHandle(controls, () => ({
    refresh,
    onKeyDown(event) {
      if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return false;
      if (["Home", "End", "ArrowLeft", "ArrowRight"].includes(event.key)) beginsWord.current = false;
      if (event.key === "Home" || event.key === "End") mode.current = null;
      if (!KEYS.has(event.key) || !act(event.key as CaretKey)) return false;
      event.preventDefault();
      return true;
    },
  }));

  const latest = useRef({ act, refresh, shown });
  latest.current = { act, refresh, shown };
  useLayoutEffect(() => {
    const input = field.current;
    const box = input?.parentElement;
    if (!input || !box) return;
    const ending = new AbortController();
    const { signal } = ending;
    const read = () => latest.current.refresh();
    box.dataset.chips = "true";
    read();
    input.addEventListener(
      "beforeinput",
      (event) => {
        const key = { deleteContentBackward: "Backspace", deleteContentForward: "Delete" }[event.inputType];
        if (isActing.current || event.isComposing || key === undefined) return;
        if (latest.current.act(key as CaretKey)) event.preventDefault();
      },
      { signal },
    );
    // Otherwise the first letter would continue the last chip.
    input.addEventListener(
      "beforeinput",
      (event) => {
        if (isActing.current || event.isComposing || !beginsWord.current) return;
        beginsWord.current = false;
        const { value, selectionStart, selectionEnd } = input;
        const isBehind = selectionStart === value.length && selectionEnd === value.length;
        if (!event.data || !/^insert(?:Text|FromPaste)$/.test(event.inputType) || !isBehind) return;
        if (/(?:^|[\s(:!,["])$/.test(value) || /^[\s),\]]/.test(event.data)) return;
        event.preventDefault();
        replaceText(input, `${value} ${event.data}`);
      },
      { signal },
    );
    for (const [target, name, begins] of [
      [input, "focus", true],
      [input, "pointerup", false],
      [input.form, "submit", true],
    ] as const) {
      target?.addEventListener(
        name,
        () => {
          beginsWord.current = begins;
        },
        { signal },
      );
    }
    input.addEventListener(
      "input",
      () => {
        if (isActing.current) return;
        if (mode.current !== "opened") mode.current = "typed";
        setSaid("");
        read();
      },
      { signal },
    );
    input.addEventListener(
      "pointerup",
      () => {
        mode.current = "typed";
        read();
      },
      { signal },
    );
    for (const name of ["focus", "blur", "scroll", "keyup"]) input.addEventListener(name, read, { signal });
    document.addEventListener("selectionchange", () => document.activeElement === input && read(), { signal });
    // Finds the chip under the pointer: chips are below the field, and get no pointer events.
    box.addEventListener(
      "pointermove",
      (event) => {
        const chips = [...(line.current?.querySelectorAll<HTMLElement>("[data-token]") ?? [])];
        const at = chips.find((chip) => isWithin(event, chip.getBoundingClientRect()));
        if (event.pointerType !== "touch" && !(event.target as Element).closest(".search-chip-remove"))
          setPointed(at ? Number(at.dataset.token) : null);
      },
      { signal },
    );
    box.addEventListener("pointerleave", () => setPointed(null), { signal });
    return () => {
      ending.abort();
      delete box.dataset.chips;
    };
  }, [field]);

  // Selects the first error once, so that people can type over it.
  const [firstError] = errors;
  const place = firstError ? `${firstError.from}-${firstError.to} ${search}` : "";
  const selectedPlace = useRef(place);
  useEffect(() => {
    const input = field.current;
    if (selectedPlace.current === place) return;
    selectedPlace.current = place;
    if (!firstError || input?.value !== search || input !== document.activeElement) return;
    input.setSelectionRange(firstError.from, firstError.to);
  }, [field, firstError, place, search]);

  const tokens = splitSearch(shown.search);
  const current = shown.isFocused ? findCurrent(tokens, shown) : null;
  const marked = current !== null ? current : pointed;
  const token = marked === null ? undefined : tokens[marked];
  const isCurrentShown = shown.mode === "chosen" || pointed !== null || isCoarse();
  const wrong =
    shown.search === search ? errors : listErrorsApart(shown, current === null ? undefined : tokens[current]);

  return (
    <>
      <div ref={layer} className="search-chips" aria-hidden="true">
        <div ref={line} className="search-chips-line">
          {tokens.map((each, index) => (
            <Chip
              // biome-ignore lint/suspicious/noArrayIndexKey: places of an order
              key={index}
              token={each}
              index={index}
              before={shown.search.slice(tokens[index - 1]?.to ?? 0, each.from)}
              text={shown.search}
              errors={wrong}
              isEdited={index === current && shown.mode !== "chosen"}
              isChosen={index === current && shown.mode === "chosen"}
            />
          ))}
        </div>
      </div>
      {token && isCurrentShown && (
        <RemoveButton
          key={`${token.from} ${token.to}`}
          line={line}
          index={tokens.indexOf(token)}
          name={shown.search.slice(token.from, token.to)}
          onRemove={() => remove(tokens.indexOf(token), token)}
        />
      )}
      <div role="status" className="sr-only">
        {said}
      </div>
    </>
  );
}

function isWithin({ clientX, clientY }: PointerEvent, rect: DOMRect): boolean {
  return rect.left - 4 <= clientX && clientX <= rect.right + 4 && rect.top - 6 <= clientY && clientY <= rect.bottom + 6;
}

function isCoarse(): boolean {
  return typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;
}

/** Whether the mode still fits: it ends when the selection or the caret moves elsewhere. */
function isModeOf({ search, from, to, mode }: SearchCaret): boolean {
  if (mode === null) return true;
  const tokens = splitSearch(search);
  if (mode === "chosen") return tokens.some((token) => token.from === from && token.to === to);
  return from === to && tokens.some((token) => token.from <= from && from <= token.to);
}

/** The token that the caret edits, or that is chosen. */
function findCurrent(tokens: readonly SearchToken[], { from, to, mode }: SearchCaret): number | null {
  const index = tokens.findIndex((token) =>
    mode === null ? token.from < from && to < token.to && from === to : token.from <= from && to <= token.to,
  );
  return index === -1 ? null : index;
}

/** Errors in the typed text, without those at the token being edited: an open parenthesis may still be closed. */
function listErrorsApart(
  { search, isFocused }: { search: string; isFocused: boolean },
  at: SearchToken | undefined,
): SearchError[] {
  return parseSearch(search).errors.filter(({ from, to }) => {
    if (!isFocused) return true;
    return !(at && from <= at.to && at.from <= to) && search.slice(from, to) !== "(" && to < search.trimEnd().length;
  });
}
