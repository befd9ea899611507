import { Panel } from "../../ui/card.tsx";
import { formatBytes } from "../../ui/format-bytes.ts";
import type { StoragePage } from "./get-storage-page.server.ts";

/** What is deleted in the next days, and why. */
export function ExpiryPanel({ next, isMeasured }: Pick<StoragePage, "next" | "isMeasured">) {
  return (
    <Panel
      title="What goes next"
      description="Within 14 days. The oldest days go first, and errors go last. Deleted rows count as expired under What arrived."
      isFlush
    >
      {next.length === 0 ? (
        <p className="p-4 text-muted text-sm">
          {isMeasured ? "Nothing is deleted in the next 14 days." : "The data folder is being measured."}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {next.map(({ on, what, reason, bytes }) => (
            <li
              key={`${on} ${what} ${reason}`}
              className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2 text-sm"
            >
              <span className="tabular w-24 font-semibold">{on}</span>
              <span className="min-w-0 flex-1 basis-56">{what}</span>
              <span className={reason === "space" ? "font-semibold text-warning" : "text-muted"}>
                {reason === "space" ? "to make room" : "retention is over"}
              </span>
              {bytes > 0 && <span className="tabular text-muted sm:w-20 sm:text-right">{formatBytes(bytes)}</span>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
