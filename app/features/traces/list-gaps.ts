import type { TracePage } from "./get-trace-page.server.ts";

/**
 * Sentences about missing parts of a trace. Empty: everything that was referred to has arrived. Several spans without a parent are
 * no gap: SDKs for browsers put a page load and later clicks into one trace.
 */
export function listGaps({
  orphanCount,
  cutAt,
  spanCount,
}: Pick<TracePage, "orphanCount" | "cutAt" | "spanCount">): string[] {
  const gaps: string[] = [];
  if (spanCount === 0) gaps.push("No span of it has arrived: none was sampled, or their time of storage is over.");
  if (orphanCount > 0)
    gaps.push(
      orphanCount === 1
        ? "The parent of one span did not arrive"
        : `The parents of ${orphanCount} spans did not arrive`,
    );
  if (cutAt !== null) gaps.push(`Only its first ${cutAt.toLocaleString("en")} spans are shown`);
  return gaps;
}
