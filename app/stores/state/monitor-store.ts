import type { Monitor } from "../../domain/monitor.ts";
import type { MonitorOverflow } from "../../domain/monitors/apply-check-ins.ts";
import type { Scope } from "../../domain/scope.ts";

/** Monitors are made by the check-ins of `BatchStore.applyBatch`. */
export interface MonitorStore {
  /**
   * By slug. `environments` (empty or absent: all): monitors with check-ins from any of them, with those alone. `limit` at
   * most 100; `cursor` opaque; `text`: case-insensitive part of the slug.
   */
  listMonitors(
    scope: Scope,
    query: {
      environments?: string[];
      text?: string;
      cursor: string | null;
      limit: number;
    },
  ): Promise<{
    monitors: Monitor[];
    nextCursor: string | null;
    previousCursor: string | null;
    /** Check-ins of the scope's projects that found no room. */
    overflows: MonitorOverflow[];
  }>;
}
