import { useRef } from "react";
import { Input } from "./field.tsx";
import { focusSearch } from "./focus-search.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useShownText } from "./use-shown-text.ts";

/**
 * The field `q` of a list's form. It follows the address, and keeps what is typed while the list loads. `/` moves the focus to it, and
 * Escape moves it out.
 */
export function SearchInput({ label, placeholder, text }: { label: string; placeholder: string; text: string }) {
  const field = useRef<HTMLInputElement>(null);
  const isEdited = useShownText(field, text);
  useShortcuts({ "/": focusSearch });
  return (
    <Input
      ref={field}
      type="search"
      name="q"
      aria-label={label}
      placeholder={placeholder}
      defaultValue={text}
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="search"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.currentTarget.value = text;
        isEdited.current = false;
        event.currentTarget.blur();
      }}
      className="min-w-40 flex-1 sm:max-w-80"
    />
  );
}
