import type { MessagePort, ResourceLimits } from "node:worker_threads";
import type { JournalLog } from "../journal/journal.ts";
import type { PayloadStore } from "../stores/payload-store.ts";
import type { ArtifactIndex } from "../stores/state/artifact-index.ts";
import type { GroupingRuleIndex } from "../stores/state/grouping-rule-store.ts";
import type { RuleIndex } from "../stores/state/rule-store.ts";
import type { State } from "../stores/state/state.ts";
import type { LaneOptions } from "./digest-lane.ts";
import type { BatchReport, DigestLimits, LanePosition } from "./digest-loop.ts";

/**
 * The stores that the digest thread opens for itself. A module makes them, which is named by its URL, so that the digest imports no engine.
 */
export interface DigestThreadStores {
  state: State;
  payloads: PayloadStore;
  /** Whether a store failed because of the data it was given, so that the same try would fail again. */
  isDataError(error: unknown): boolean;
}

/** The exports that the module at `storesModule` must have. Options are plain data: they are copied to the thread. */
export interface DigestStoresModule {
  openDigestStores(options: unknown): Promise<DigestThreadStores>;
  /** Opens the stores that a map thread reads. The module is not told when the thread ends. */
  openMapStores(options: unknown): Promise<MapThreadStores>;
}

export interface MapThreadStores {
  artifacts: Pick<ArtifactIndex, "artifactVersion" | "listArtifactBundles">;
  groupingRules: GroupingRuleIndex;
  ruleIndex: RuleIndex;
}

/** `workerData` of the digest thread. */
export interface DigestThreadData {
  /** In the order in which they are digested. */
  journals: ReadonlyArray<Omit<LaneOptions, "attempts">>;
  setAsideDir: string;
  storesModule: string;
  storesOptions: unknown;
  eventPort: MessagePort;
  /** The durable sequence of each journal. */
  durable: readonly number[];
  /** Threads of the map stage. With one, it is the digest thread itself. */
  mapThreads: number;
  /** Limits for each of these threads. */
  resourceLimits: ResourceLimits;
  limits: DigestLimits;
  /** Whether ports to a symbolicator will come; without, events are stored as they came. */
  hasSymbolicator: boolean;
}

export type ToDigestThread =
  /** `sequences`: of each journal. */
  | { kind: "durable"; sequences: readonly number[] }
  /** The way to a symbolicator for one of the map threads, from 0; it takes the place of the one before. */
  | { kind: "symbolicator"; mapThread: number; port: MessagePort }
  | { kind: "ping"; id: number }
  /** Payloads go to new files from now on; answered as a ping is. */
  | { kind: "seal"; id: number }
  | { kind: "close" };

export type FromDigestThread =
  | { kind: "started"; positions: readonly LanePosition[]; setAsideCount: number }
  | { kind: "batch"; report: BatchReport }
  | { kind: "pong"; id: number }
  | { kind: "log"; level: keyof JournalLog; facts: object; message: string };

/** Turns errors into plain data. A plain copy would lose the fields that an engine adds beside the message. */
export function toPlainFacts(facts: object): object {
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(facts)) plain[key] = value instanceof Error ? toPlainError(value) : value;
  return plain;
}

function toPlainError(error: Error): object {
  const { name, message, stack, cause } = error;
  const plain: Record<string, unknown> = { ...error, name, message, stack };
  if (cause instanceof Error) plain.cause = toPlainError(cause);
  return plain;
}
