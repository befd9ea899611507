import { type KeyboardEvent, type RefObject, useEffect, useImperativeHandle, useRef, useState } from "react";
import { COUNTED_OVER, createSearchSuggester, type SearchSubject, type SearchSuggester } from "./search-suggester.ts";
import { applySuggestion, type SearchSuggestion, type SearchSuggestions } from "./suggest-search-words.ts";

/** State of the list that the field needs for its ARIA attributes. */
export interface SearchPopupState {
  isOpen: boolean;
  activeId: string | undefined;
}

export interface SearchCompletionControls {
  /** Opens the list if there is something to suggest for the typed text. */
  open(): void;
  close(): void;
  /** True when the key was for the list. */
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): boolean;
}

export interface SearchCompletionProps {
  controls: RefObject<SearchCompletionControls | null>;
  field: RefObject<HTMLInputElement | null>;
  /** Whether the list opens as soon as its code has loaded. */
  isWanted: RefObject<boolean>;
  listId: string;
  subject: SearchSubject;
  onChange: (popup: SearchPopupState) => void;
  /** Called after a suggestion was written into the field. */
  onPicked: () => void;
}

const NO_OPTION = -1;
/** Keys that move the caret, so suggestions for another word may be needed. */
const CARET_KEYS = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

/**
 * The list of suggestions below the search field. The focus stays in the field. No option is chosen by itself, so Tab and Enter take the
 * typed text unless an arrow key has chosen an option.
 */
export default function SearchCompletion({
  controls,
  field,
  isWanted,
  listId,
  subject,
  onChange,
  onPicked,
}: SearchCompletionProps) {
  const [suggestions, setSuggestions] = useState<SearchSuggestions | null>(null);
  const [active, setActive] = useState(NO_OPTION);
  const list = suggestions?.list ?? [];
  const toId = (index: number) => `${listId}-${index}`;
  const suggester = useRef<{ of: string; suggester: SearchSuggester } | null>(null);

  const open = (): number => {
    const input = field.current;
    if (!input || input !== document.activeElement) return 0;
    const typed = input.value;
    const next = findSuggester(input).suggest(typed, input.selectionStart ?? typed.length, () => onMore(typed));
    setSuggestions(next.list.length > 0 ? next : null);
    setActive(NO_OPTION);
    return next.list.length;
  };
  /** The suggester for the projects that are chosen beside the search. */
  const findSuggester = (input: HTMLInputElement): SearchSuggester => {
    const slugs = input.form ? new FormData(input.form).getAll("project").map(String) : [];
    const of = JSON.stringify([slugs, subject]);
    if (suggester.current?.of !== of) {
      suggester.current?.suggester.stop();
      suggester.current = { of, suggester: createSearchSuggester(subject, slugs) };
    }
    return suggester.current.suggester;
  };
  /** Opens the list again with more values, unless an option is chosen, the text has changed, or the list was closed. */
  const onMore = useLatest((typed: string) => {
    if (active === NO_OPTION && field.current?.value === typed) open();
  });
  const close = () => {
    suggester.current?.suggester.stop();
    setSuggestions(null);
  };
  const pick = (suggestion: SearchSuggestion) => {
    const input = field.current;
    if (!input || !suggestions) return;
    const { search, caret } = applySuggestion(input.value, suggestions, suggestion);
    input.value = search;
    input.focus();
    input.setSelectionRange(caret, caret);
    onPicked();
    if (suggestion.kind === "key") open();
    else close();
    if (suggestion.kind === "recent") input.form?.requestSubmit();
  };
  const move = (step: 1 | -1) => {
    const count = suggestions ? list.length : open();
    if (count === 0) return;
    const from = suggestions ? active : NO_OPTION;
    setActive(from === NO_OPTION ? (step === 1 ? 0 : count - 1) : (from + step + count) % count);
  };

  useImperativeHandle(controls, () => ({
    open,
    close,
    onKeyDown(event) {
      const chosen = suggestions ? list[active] : undefined;
      const isVertical = event.key === "ArrowDown" || event.key === "ArrowUp";
      if (isVertical && event.altKey) event.key === "ArrowDown" ? open() : close();
      else if (isVertical) move(event.key === "ArrowDown" ? 1 : -1);
      else if ((event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) && chosen) pick(chosen);
      else if (event.key === "Escape" && suggestions) close();
      else {
        if (event.key === "Enter" || event.key === "Tab") close();
        // After the browser has moved the caret.
        else if (suggestions && CARET_KEYS.has(event.key)) requestAnimationFrame(open);
        return false;
      }
      event.preventDefault();
      return true;
    },
  }));

  const isOpen = suggestions !== null;
  const activeId = isOpen && active !== NO_OPTION ? toId(active) : undefined;
  useEffect(() => onChange({ isOpen, activeId }), [onChange, isOpen, activeId]);
  // Loaded when the field got the focus. `open` checks that it still has it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (isWanted.current) open();
  }, []);

  useEffect(() => () => suggester.current?.suggester.stop(), []);

  return (
    <>
      {isOpen && (
        <div className="search-completion overlay-panel">
          <div id={listId} role="listbox" aria-label="What could be searched for">
            {list.map((suggestion, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled at the field, which keeps the focus
              // biome-ignore lint/a11y/useFocusableInteractive: as above
              <div
                key={`${suggestion.kind} ${suggestion.text}`}
                id={toId(index)}
                role="option"
                aria-selected={index === active}
                className="search-option"
                ref={(element) => {
                  if (index === active) element?.scrollIntoView({ block: "nearest" });
                }}
                // A press would take the focus from the field.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => pick(suggestion)}
              >
                <span className="search-option-text">{suggestion.text}</span>
                <span className="search-option-meaning">{suggestion.meaning}</span>
                {suggestion.counted && <span className="search-option-count">{suggestion.counted}</span>}
              </div>
            ))}
          </div>
          <p className="search-completion-note">
            <code>!</code> before a key leaves out; quotes keep words together.
            {list.some(({ counted }) => counted !== null) && ` ${COUNTED_OVER[subject.about]}`}
          </p>
        </div>
      )}
      <div role="status" className="sr-only">
        {isOpen && `${list.length} ${list.length === 1 ? "suggestion" : "suggestions"}`}
      </div>
    </>
  );
}

/** A function that stays the same between renderings and calls the latest version. */
function useLatest<Args extends unknown[]>(act: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(act);
  latest.current = act;
  return useRef((...args: Args) => latest.current(...args)).current;
}
