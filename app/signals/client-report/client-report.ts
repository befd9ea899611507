import { KIB } from "../../domain/bytes.ts";
import { parseClientReport } from "../../protocol/client-report.ts";
import { refusedCategoriesOf } from "../../protocol/reported-loss.ts";
import type { SequencedOutcome } from "../digested.ts";
import { type Json, toSummary } from "../item-summary.ts";
import { type ArrivedItem, defineSignal } from "../signal.ts";
import { storeJson } from "../stored-item.ts";

/** What the SDK says it dropped. It may say the same twice and mean it: no identity. */
export const CLIENT_REPORT = defineSignal({
  itemTypes: ["client_report"],
  category: "internal",
  group: "client_report",
  limits: { maxItemBytes: 100 * KIB, maxTotalBytes: 100 * KIB, maxCount: 100 },
  read: storeJson({
    summarize: () => toSummary({}),
    effects: (value, item) => ({ outcomes: readDiscarded(value, item) }),
  }),
});

/** It goes into the ledger beside what arrived, except for what was counted when it was refused. */
function readDiscarded(value: Json, { sequence, entry }: ArrivedItem): SequencedOutcome[] {
  const { projectId, receivedAt } = entry;
  return (parseClientReport(value)?.discarded ?? []).map((discarded) => {
    // The lists that proxies add speak of what the proxy decided, not of what was answered to it.
    const refusedAs = discarded.outcome === "client_discard" ? refusedCategoriesOf(discarded) : null;
    return {
      sequence,
      projectId,
      receivedAt,
      ...discarded,
      isFromClientReport: true,
      ...(refusedAs ? { refusedAs } : {}),
    };
  });
}
