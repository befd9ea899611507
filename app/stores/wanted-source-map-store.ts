import type { WantedSourceMap } from "./artifact-store.ts";

/** As many of them are kept of one event … */
export const MAX_WANTED_OF_EVENT = 20;
/** … and of one project, counted by issue and key: beyond, foreign ones and those seen longest ago go. */
export const MAX_WANTED_OF_PROJECT = 10_000;

/** What names one of them. */
export type WantedSourceMapKey = Pick<WantedSourceMap, "projectId" | "issueId" | "debugId" | "release" | "dist">;

/** What waits for an upload; `listWantedSourceMaps` of the ArtifactStore shows it. */
export interface WantedSourceMapStore {
  /**
   * Which issues an upload may help, and by which of their keys: those with one of the debug ids (32 lower-case hex
   * characters), or of one of the releases with exactly that dist (null: without). `eventCount` as in WantedSourceMap.
   */
  findIssuesWantingSourceMaps(uploaded: {
    projectIds: number[];
    debugIds: readonly string[];
    releases: ReadonlyArray<{ version: string; dist: string | null }>;
  }): Promise<Array<{ issueId: number; keys: Array<WantedSourceMapKey & { eventCount: number }> }>>;
  /**
   * Once the events of the issue are mapped by them. With an `eventCount`, only while no more events want it than that: those
   * that came meanwhile may have been digested before the upload. Gives how many went.
   */
  forgetWantedSourceMaps(keys: ReadonlyArray<WantedSourceMapKey & { eventCount?: number }>): Promise<number>;
  /** The same once no frame of the project's own code wants them any more, but others do. */
  markWantedForeign(keys: ReadonlyArray<WantedSourceMapKey & { eventCount?: number }>): Promise<number>;
}
