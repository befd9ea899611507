import type { MessagePort } from "node:worker_threads";
import type { BlobStore } from "../stores/blob-store.ts";
import type { MemoryCacheStats } from "../stores/memory-cache.ts";
import type { ArtifactIndex } from "../stores/state/artifact-index.ts";
import type { SymbolicationEvent } from "./collect-frames.ts";
import type { PublicFiles } from "./public-files.ts";
import type { ReadFetched, SourceMapCacheOptions } from "./source-map-cache.ts";
import type { SymbolicationResult } from "./symbolicate-event.ts";

/** Stores that the symbolicator's thread opens for itself, for reading. */
export interface SymbolicatorStores {
  artifacts: Pick<
    ArtifactIndex,
    | "findFilesByDebugId"
    | "findFilesByUrl"
    | "artifactVersion"
    | "listArtifactFiles"
    | "listReleaseUrls"
    | "listArtifactBundles"
  >;
  blobs: BlobStore;
  /** Absent: nothing is fetched. */
  publicFiles?: PublicFiles & { readFetched: ReadFetched };
  close(): Promise<void>;
}

/** The required export of the module at `storesModule`. Options are plain data: they are copied to the thread. */
export interface SymbolicatorStoresModule {
  openSymbolicatorStores(options: unknown): Promise<SymbolicatorStores>;
}

/** `workerData` of the thread. */
export interface SymbolicatorThreadData {
  storesModule: string;
  storesOptions: unknown;
  cache: Partial<SourceMapCacheOptions>;
}

export type ToSymbolicatorThread =
  /** From now on, requests come through this port as well. `first` are requests that came before it. */
  | { kind: "connect"; port: MessagePort; first: SymbolicationRequest[] }
  | { kind: "ping"; id: number }
  | { kind: "close" };

export type FromSymbolicatorThread = { kind: "started" } | { kind: "pong"; id: number; cache: MemoryCacheStats };

/** Through a connected port. */
export interface SymbolicationRequest {
  id: number;
  projectId: number;
  event: SymbolicationEvent;
  withDiagnosis: boolean;
  /** After this time, the answer has what is mapped so far. Milliseconds. */
  limitMs: number;
}

export type SymbolicationAnswer =
  | ({ id: number; kind: "done" } & SymbolicationResult)
  | { id: number; kind: "failed"; message: string };
