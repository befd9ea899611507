import type { MappedStoredEvent, OutgoingMessages } from "../access/workspace.ts";
import type { LiveFeed } from "../domain/live-message.ts";
import type { RebuildProgress } from "../domain/rebuild-progress.ts";
import type { SourceMapPass } from "../domain/source-map-pass.ts";
import type { Retention } from "../domain/storage/retention.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import type { PasswordHasher } from "../features/auth/password-hasher.ts";
import type { SetUpCode } from "../features/auth/set-up-code.server.ts";
import type { BlobStore } from "../stores/blob-store.ts";
import type { ChunkStore } from "../stores/chunk-store.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { PayloadStore } from "../stores/payload-store.ts";
import type { State } from "../stores/state/state.ts";
import type { BuildVersion } from "./build-version.server.ts";
import type { StorageWatch } from "./storage-watch.server.ts";

/**
 * The running server's parts. There is one per process, made by `open-engine.server.ts` for the production server and for
 * `react-router dev` alike. The router's bundle must never make a second one, so `app/access/` finds this one through the
 * process-wide registry below. Pages and the web API do not see it: they get a workspace.
 */
export interface Engine {
  readonly state: State;
  readonly events: EventStore;
  readonly payloads: PayloadStore;
  readonly blobs: BlobStore;
  readonly chunks: ChunkStore;
  /** The id of the journal that this process writes: stores are asked for their applied sequence by it. */
  readonly journalId: string;
  readonly feed: LiveFeed;
  readonly passwords: PasswordHasher;
  readonly setUpCode: SetUpCode;
  /**
   * A stored event as it would be stored now, with its frames mapped to their sources. Waits at most `limitMs`; what is not
   * mapped by then is as it was, and the report says so. Never throws for what the event is.
   */
  symbolicate(
    stored: StoredEvent,
    options: { projectId: number; limitMs?: number; withDiagnosis?: boolean },
  ): Promise<MappedStoredEvent>;
  /** How far stored events are mapped by uploads that came after them. */
  sourceMapPass(): SourceMapPass;
  /** Whether an accepted event of one of the projects still waits for its digest. */
  isPending(eventId: string, projectIds: readonly number[]): boolean;
  /** How far the event store has been made again; null: it was not lost. */
  rebuild(): RebuildProgress | null;
  /** How large the data folder is, and what will become of it. */
  readonly storage: StorageWatch;
  /** Accepted records that are not stored yet, and how fast they go (records a second, over the last minute). */
  backlog(): { records: number; bytes: number; recordsPerSecond: number };
  /** Takes an envelope as if an SDK had sent it with this key: same limits, same journal, durable when it resolves. */
  acceptEnvelope(
    publicKey: string,
    envelope: Uint8Array,
  ): Promise<{ ok: true; eventId: string | null } | { ok: false; status: number; detail: string }>;
  /** Takes changed projects and keys into account at once. */
  reloadKeys(): Promise<void>;
  /** Takes the rows of what was deleted just now away, as far as a job can do it within two seconds. */
  hideDeleted(): Promise<void>;
  /** Where messages about issues leave. */
  readonly notifications: OutgoingMessages;
  readonly settings: EngineSettings;
}

export interface EngineSettings extends BuildVersion {
  /** Where SDKs and people reach this server, without a trailing slash; null: as the request says. */
  publicUrl: string | null;
  /** Takes envelopes of every project, like `/t/`. */
  neutralPath: string;
  /** Bearer token of the owner for the web API; null: none. */
  apiToken: string | null;
  retention: Retention;
  /** Whether session cookies carry `Secure` even when the request came by http (behind a proxy that is not trusted). */
  trustProxy: boolean;
}

const KEY = Symbol.for("culprit.engine");
type Registry = { [KEY]?: Engine };

export function registerEngine(engine: Engine | undefined): void {
  (globalThis as Registry)[KEY] = engine;
}

/** @throws when no engine runs in this process. */
export function requireEngine(): Engine {
  const engine = (globalThis as Registry)[KEY];
  if (!engine) throw new Error("no engine runs in this process");
  return engine;
}
