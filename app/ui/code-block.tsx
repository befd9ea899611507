import { classNames } from "./class-names.ts";
import { CopyButton } from "./copy-button.tsx";

/** Code or machine text to read and to copy. With `isWrapped` long lines wrap, otherwise they scroll. */
export function CodeBlock({
  code,
  label,
  isWrapped = false,
  className,
}: {
  code: string;
  /** A file name or a language. It also names the region for screen readers. */
  label: string;
  isWrapped?: boolean;
  className?: string;
}) {
  return (
    <figure className={classNames("code-block", className)}>
      <figcaption>
        <span className="truncate">{label}</span>
        <CopyButton text={code} isIcon label={`Copy ${label}`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className={isWrapped ? "whitespace-pre-wrap" : "overflow-x-auto"}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
