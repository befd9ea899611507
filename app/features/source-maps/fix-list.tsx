import type { Fix } from "../../symbolicate/explain-report.ts";
import { CodeBlock } from "../../ui/code-block.tsx";

/** The fixes, likeliest first: a sentence for each, and lines for a shell to copy. */
export function FixList({ fixes }: { fixes: readonly Fix[] }) {
  if (fixes.length === 0) return null;
  return (
    <ul className="grid gap-2.5">
      {fixes.map(({ text, command }) => (
        <li key={`${text} ${command}`} className="grid min-w-0 gap-1.5">
          <p className="text-sm">{text}</p>
          {command !== null && <CodeBlock label="Command" code={command} isWrapped className="wrap-anywhere min-w-0" />}
        </li>
      ))}
    </ul>
  );
}
