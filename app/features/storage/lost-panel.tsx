import { Panel } from "../../ui/card.tsx";
import { formatCount } from "../../ui/count.tsx";
import type { StoragePage } from "./get-storage-page.server.ts";

/** Days that no search can read any more, and how an operator restores them. */
export function LostPanel({ lost }: Pick<StoragePage, "lost">) {
  return (
    <Panel
      title="Damaged days"
      description="The file of each is damaged or gone. Lists and searches leave its rows out, and they count as damaged under What arrived."
      isFlush
    >
      <ul className="divide-y divide-line">
        {lost.map(({ file, what, rows, isLogged }) => (
          <li key={file} className="grid gap-1 px-4 py-3 text-sm">
            <span className="flex flex-wrap items-baseline gap-x-4">
              <strong className="min-w-0 flex-1 basis-56">{what}</strong>
              {rows !== null && (
                <span className="tabular text-muted">
                  {formatCount(rows)} {rows === 1 ? "row" : "rows"}
                </span>
              )}
            </span>
            <code className="break-all font-mono text-xs">{file}</code>
            <span className="text-muted">
              {isLogged
                ? "Culprit has these rows a second time. Restart the server, and it brings them back."
                : "Put this file back into days/ from a backup, and restart the server. The rest of it lies in damaged/, and goes when its day expires."}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
