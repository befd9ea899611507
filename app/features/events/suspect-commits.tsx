import { Panel } from "../../ui/card.tsx";
import { CommitLine } from "../releases/commit-list.tsx";
import type { LinkedSuspect } from "./get-event-code.server.ts";

/** Commits of the event's release that changed code in its stack. Absent if none are known. */
export function SuspectCommits({ suspects }: { suspects: readonly LinkedSuspect[] }) {
  if (suspects.length === 0) return null;
  return (
    <Panel
      id="suspects"
      title={suspects.length === 1 ? "Suspect commit" : `Suspect commits (${suspects.length})`}
      description="Commits of this release, or shortly before it, that changed a file of this stack. Nearest to the crash first."
      isFlush
    >
      <ol aria-label="Suspect commits" className="divide-y divide-line">
        {suspects.map((suspect) => (
          <li key={`${suspect.repository} ${suspect.id}`} className="grid gap-0.5 px-4 py-2.5 text-sm">
            <CommitLine commit={suspect} />
            <p className="wrap-anywhere text-muted text-xs">
              changed <span className="font-mono">{suspect.path}</span>
              {suspect.frameFunction && (
                <>
                  , where <span className="font-mono">{suspect.frameFunction}</span> is
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
