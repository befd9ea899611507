import { FileText } from "lucide-react";
import { Link } from "react-router";
import { CopyButton } from "../../ui/copy-button.tsx";
import { type StackView, toStackSearch } from "./stack-options.ts";

const FORMS = [
  ["relevant", "Relevant"],
  ["full", "Full"],
  ["raw", "Raw"],
] as const;
const SOURCES = [
  ["mapped", "Mapped"],
  ["sent", "As sent"],
] as const;
const ORDERS = [
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
] as const;

/** How the stack is shown, as links, so that the choice is in the URL. It also has buttons that copy the stack. */
export function StackControls({
  view,
  search,
  text,
  markdown,
  hasSources,
}: {
  view: StackView;
  search: URLSearchParams;
  text: string;
  markdown: () => string;
  /** Whether source maps changed the frames, so that there are two versions to choose from. Buttons copy the version that is shown. */
  hasSources: boolean;
}) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      {hasSources && (
        <Switch label="Source of frames" name="source" options={SOURCES} value={view.source} search={search} />
      )}
      <Switch label="Frames shown" name="stack" options={FORMS} value={view.form} search={search} />
      {view.form !== "raw" && (
        <Switch label="Order of frames" name="order" options={ORDERS} value={view.order} search={search} />
      )}
      <span className="flex items-center">
        <CopyButton text={text} isIcon label="Copy text" />
        <CopyButton text={markdown} isIcon icon={<FileText />} label="Copy event as Markdown" shortcut="Shift+y" />
      </span>
    </div>
  );
}

function Switch({
  label,
  name,
  options,
  value,
  search,
}: {
  label: string;
  name: "stack" | "order" | "source";
  options: ReadonlyArray<readonly [value: string, label: string]>;
  value: string;
  search: URLSearchParams;
}) {
  return (
    <nav aria-label={label} className="switch">
      {options.map(([option, words]) => (
        <Link
          key={option}
          to={toStackSearch(search, { [name]: option })}
          replace
          preventScrollReset
          aria-current={option === value ? "true" : undefined}
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}
