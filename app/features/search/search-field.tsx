import { Search } from "lucide-react";
import {
  type ComponentType,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { importOptional } from "../../navigation/stale-build.ts";
import { Input } from "../../ui/field.tsx";
import { focusSearch } from "../../ui/focus-search.ts";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import { useShownText } from "../../ui/use-shown-text.ts";
import type { SearchChipsControls, SearchChipsProps } from "./search-chips.tsx";
import type { SearchCompletionControls, SearchCompletionProps, SearchPopupState } from "./search-completion.tsx";
import type { SearchSubject } from "./search-suggester.ts";

const loadChips = () => import("./search-chips.tsx");
const loadCompletion = () => import("./search-completion.tsx");
const CLOSED: SearchPopupState = { isOpen: false, activeId: undefined };

const NO_ERRORS: readonly SearchError[] = [];

/**
 * The search field: a plain field, and with script a combobox (WAI-ARIA APG, editable with list autocomplete), whose list is loaded when
 * somebody is about to type. Once their code is there, chips are drawn over its text.
 */
export function SearchField({
  search,
  label,
  placeholder,
  hint,
  subject,
  refusalId,
  errors = NO_ERRORS,
  children,
}: {
  /** The search that the list shows now; going back or pressing a view resets the field. */
  search: string;
  label: string;
  placeholder: string;
  /** What can be searched for, for screen readers. */
  hint: string;
  subject: SearchSubject;
  /** Id of the element that says what of the search is not understood. */
  refusalId: string | undefined;
  /** What of the search is not understood, and where. */
  errors?: readonly SearchError[] | undefined;
  /** Elements at the end of the field. */
  children?: ReactNode;
}) {
  const field = useRef<HTMLInputElement>(null);
  const completion = useRef<SearchCompletionControls>(null);
  const chips = useRef<SearchChipsControls>(null);
  const [Chips, setChips] = useState<ComponentType<SearchChipsProps> | null>(null);
  const [Completion, setCompletion] = useState<ComponentType<SearchCompletionProps> | null>(null);
  const [popup, setPopup] = useState(CLOSED);
  /** Whether the list may open when its code arrives: not after the search was submitted. */
  const isWanted = useRef(false);
  const listId = useId();
  const hintId = useId();
  const hasScript = useSyncExternalStore(noChange, isTrue, isFalse);

  const isEdited = useShownText(field, search);
  useShortcuts({ "/": focusSearch });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search is what it reacts to
  useLayoutEffect(() => {
    if (!isEdited.current) completion.current?.close();
    chips.current?.refresh();
  }, [search]);
  // Loaded after the page can be used. Chips are at the places of the text, so nothing moves when they come.
  useEffect(() => {
    let isGone = false;
    const timer = setTimeout(
      () => void importOptional(loadChips).then((module) => module && !isGone && setChips(() => module.default)),
    );
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);

  const load = () => {
    // Without it (offline, or after a deploy) the plain field works.
    if (!Completion)
      void importOptional(loadCompletion).then((module) => module && setCompletion(() => module.default));
  };
  const combobox = hasScript && {
    role: "combobox",
    "aria-autocomplete": "list" as const,
    "aria-expanded": popup.isOpen,
    "aria-controls": popup.isOpen ? listId : undefined,
    "aria-activedescendant": popup.activeId,
  };

  return (
    <div className="search-box">
      <Search aria-hidden="true" />
      <Input
        ref={field}
        type="search"
        name="q"
        aria-label={label}
        aria-describedby={refusalId ? `${refusalId} ${hintId}` : hintId}
        aria-invalid={refusalId ? true : undefined}
        {...combobox}
        defaultValue={search}
        placeholder={placeholder}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        enterKeyHint="search"
        onPointerEnter={load}
        onFocus={() => {
          isWanted.current = true;
          load();
          completion.current?.open();
        }}
        onBlur={() => completion.current?.close()}
        onClick={() => completion.current?.open()}
        onInput={() => {
          isWanted.current = true;
          completion.current?.open();
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          // A chosen option gets the key before the chip with the caret.
          if (popup.isOpen && (popup.activeId || event.key === "Escape") && completion.current?.onKeyDown(event))
            return;
          if (chips.current?.onKeyDown(event)) return;
          if (event.key === "Enter") isWanted.current = false;
          if (completion.current?.onKeyDown(event) || event.key !== "Escape") return;
          event.preventDefault();
          event.currentTarget.value = search;
          isEdited.current = false;
          event.currentTarget.blur();
        }}
      />
      {Chips && (
        <Chips
          controls={chips}
          field={field}
          search={search}
          errors={errors}
          onMoved={(isOpened) => {
            isWanted.current = isOpened;
            if (isOpened) completion.current?.open();
            else completion.current?.close();
          }}
        />
      )}
      <span className="kbd" aria-hidden="true">
        /
      </span>
      {children}
      <span id={hintId} className="sr-only">
        {hint}
        {Chips && " Arrow keys choose a filter, Enter edits it, Backspace removes it."}
      </span>
      {Completion && (
        <Completion
          controls={completion}
          field={field}
          isWanted={isWanted}
          listId={listId}
          subject={subject}
          onChange={setPopup}
          onPicked={() => chips.current?.refresh()}
        />
      )}
    </div>
  );
}

const noChange = () => () => undefined;
const isTrue = () => true;
const isFalse = () => false;
