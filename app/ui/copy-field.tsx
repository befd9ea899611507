import { CopyButton } from "./copy-button.tsx";
import { Input } from "./field.tsx";

/** One line of machine text to copy. A click or a Tab selects all of it, and a button copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-center gap-2">
      <Input
        aria-label={label}
        readOnly
        value={value}
        spellCheck={false}
        className="font-mono"
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={value} size="md" label="Copy" />
    </div>
  );
}
