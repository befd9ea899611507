import type { AuditCheck } from "../../domain/audit/audit-entry.ts";
import { Notice } from "../../ui/notice.tsx";

/** The result of a check of the chain. */
export function ChainNotice({ check }: { check: AuditCheck }) {
  if (!check.ok)
    return (
      <Notice tone="error" title={`The chain is broken at entry ${check.entryId}: ${check.reason}.`}>
        <p>
          Somebody changed the database without Culprit, or the file is damaged. Entries before {check.entryId} fit.
          Compare with an export or a backup that was made earlier.
        </p>
      </Notice>
    );
  return (
    <Notice tone="done" title={`The chain fits: ${check.count.toLocaleString("en")} entries.`}>
      <p className="wrap-anywhere">
        The newest is entry {check.lastId}, with the hash <code className="text-xs">{check.lastHash}</code>. Write it
        down somewhere else: it proves later that nothing before it was changed.
      </p>
    </Notice>
  );
}
