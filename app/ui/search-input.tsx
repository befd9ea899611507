import { useRef } from "react";
import { Input } from "./field.tsx";
import { useShownText } from "./use-shown-text.ts";

/** The field `q` of a list's form. It follows the address, and keeps what is typed while the list loads. */
export function SearchInput({ label, placeholder, text }: { label: string; placeholder: string; text: string }) {
  const field = useRef<HTMLInputElement>(null);
  useShownText(field, text);
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
      className="min-w-40 flex-1 sm:max-w-80"
    />
  );
}
