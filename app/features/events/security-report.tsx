import type { SentryEvent } from "../../domain/event.ts";
import { Panel } from "../../ui/card.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { ValueTree } from "./value-tree.tsx";

const REPORTS = [
  ["csp", "Content security policy"],
  ["hpkp", "Public key pinning"],
  ["expectct", "Certificate transparency"],
  ["expectstaple", "OCSP stapling"],
  ["nel", "Network error"],
] as const;

/** The report of a browser, field by field. */
export function SecurityReport({ event }: { event: SentryEvent }) {
  return REPORTS.map(([field, title]) => {
    const report = event[field];
    if (!report) return null;
    return (
      <Panel key={field} id="report" title={title}>
        <KeyValueList
          pairs={Object.entries(report)
            .filter(([, value]) => value !== null && value !== "")
            .map(([key, value]) => ({ key: key.replaceAll("_", " "), value: <ValueTree value={value} /> }))}
        />
      </Panel>
    );
  });
}
