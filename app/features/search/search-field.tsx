import { Search } from "lucide-react";
import {
  type ComponentType,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { importOptional } from "../../navigation/stale-build.ts";
import { Input } from "../../ui/field.tsx";
import { useShownText } from "../../ui/use-shown-text.ts";
import type { SearchCompletionControls, SearchCompletionProps, SearchPopupState } from "./search-completion.tsx";
import type { SearchSubject } from "./search-suggester.ts";

const loadCompletion = () => import("./search-completion.tsx");
const CLOSED: SearchPopupState = { isOpen: false, activeId: undefined };

/**
 * The search: a plain field, and with script a combobox (WAI-ARIA APG, editable with list autocomplete) whose list is
 * loaded when somebody is about to type.
 */
export function SearchField({
  search,
  label,
  placeholder,
  hint,
  subject,
  refusalId,
  children,
}: {
  /** The search that the list shows now; going back or pressing a view resets the field. */
  search: string;
  label: string;
  placeholder: string;
  /** What can be searched for, for screen readers. */
  hint: string;
  subject: SearchSubject;
  /** Where it is said what of the search is not understood. */
  refusalId: string | undefined;
  /** Stands at the end of the field. */
  children?: ReactNode;
}) {
  const field = useRef<HTMLInputElement>(null);
  const completion = useRef<SearchCompletionControls>(null);
  const [Completion, setCompletion] = useState<ComponentType<SearchCompletionProps> | null>(null);
  const [popup, setPopup] = useState(CLOSED);
  /** Whether the list may open when its code arrives: not once what was typed is asked for. */
  const isWanted = useRef(false);
  const listId = useId();
  const hintId = useId();
  const hasScript = useSyncExternalStore(noChange, isTrue, isFalse);

  const isEdited = useShownText(field, search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search is what it reacts to
  useLayoutEffect(() => {
    if (!isEdited.current) completion.current?.close();
  }, [search]);

  const load = () => {
    // Without it (offline, or a new version is deployed) a plain field does the job.
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
          if (event.key === "Enter") isWanted.current = false;
          if (event.nativeEvent.isComposing || completion.current?.onKeyDown(event)) return;
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.currentTarget.value = search;
          isEdited.current = false;
          event.currentTarget.blur();
        }}
      />
      <span className="kbd" aria-hidden="true">
        /
      </span>
      {children}
      <span id={hintId} className="sr-only">
        {hint}
      </span>
      {Completion && (
        <Completion
          controls={completion}
          field={field}
          isWanted={isWanted}
          listId={listId}
          subject={subject}
          onChange={setPopup}
        />
      )}
    </div>
  );
}

const noChange = () => () => undefined;
const isTrue = () => true;
const isFalse = () => false;
