import type { CheckIn, Monitor } from "../../domain/monitor.ts";

/** What is over makes no monitor, and is counted (`overflows`). The check-ins are stored all the same. */
export const MAX_MONITORS_OF_PROJECT = 1_000;
export const MAX_ENVIRONMENTS_OF_MONITOR = 100;

/** A check-in of a batch. */
export type AppliedCheckIn = CheckIn & {
  /** Of its journal record. */
  sequence: number;
  projectId: number;
  receivedAt: number;
};

/** Check-ins of a project that found no room among its monitors. */
export interface MonitorOverflow {
  projectId: number;
  checkInCount: number;
  lastSlug: string;
  lastAt: number;
}

/** Monitors are made by the check-ins of `BatchStore.applyBatch`. */
export interface MonitorStore {
  /**
   * By slug. `environments` (empty or absent: all): monitors with check-ins from any of them, with those alone. `limit` at
   * most 100; `cursor` opaque; `text`: case-insensitive part of the slug.
   */
  listMonitors(query: {
    projectIds: number[] | null;
    environments?: string[];
    text?: string;
    cursor: string | null;
    limit: number;
  }): Promise<{
    monitors: Monitor[];
    nextCursor: string | null;
    previousCursor: string | null;
    /** Of the projects asked for. */
    overflows: MonitorOverflow[];
  }>;
}
