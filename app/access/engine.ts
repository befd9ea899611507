import type { BuildVersion } from "../domain/build-version.ts";
import type { NumberedJournal } from "../domain/journal-positions.ts";
import type { LiveFeed } from "../domain/live-message.ts";
import type { LogTail } from "../domain/logs/log-tail.ts";
import type { FailedSignIns } from "../domain/people/failed-sign-ins.ts";
import type { PasswordHasher } from "../domain/people/password-hasher.ts";
import type { ProviderClient } from "../domain/people/provider-client.ts";
import type { ProxySignIn } from "../domain/people/proxy-identity.ts";
import type { SetUpCode } from "../domain/people/set-up-code.ts";
import type { Retention } from "../domain/storage/retention.ts";
import type { StorageWatch } from "../domain/storage/storage-watch.ts";
import type { BlobStore } from "../stores/blob-store.ts";
import type { ChunkStore } from "../stores/chunk-store.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { State } from "../stores/state/state.ts";
import type { OutgoingMessages, ServerServices } from "./workspace.ts";

/**
 * The running server's parts. There is one per process, made by `open-engine.server.ts` for the production server and for
 * `react-router dev` alike. The router's bundle must never make a second one, so `app/access/` finds this one through the
 * process-wide registry below. Pages and the web API do not see it: they get a workspace.
 */
export interface Engine extends ServerServices {
  readonly state: State;
  readonly events: EventStore;
  readonly payloads: EventPayloads;
  readonly blobs: BlobStore;
  readonly chunks: ChunkStore;
  /**
   * The journals that this process writes. They are used to ask stores for the sequences that they have applied. The first journal has the
   * errors (decision 097).
   */
  readonly journals: readonly NumberedJournal[];
  readonly feed: LiveFeed;
  readonly logTail: LogTail;
  readonly passwords: PasswordHasher;
  readonly setUpCode: SetUpCode;
  readonly failedSignIns: FailedSignIns;
  /** The client for providers of single sign-on. */
  readonly providerClient: ProviderClient;
  /** Whether an accepted event of one of the projects still waits for its digest. */
  isPending(eventId: string, projectIds: readonly number[]): boolean;
  /** The same, but only for events that this process itself has accepted. */
  hasAccepted(eventId: string, projectIds: readonly number[]): boolean;
  /** The size of the data folder, and its expected growth. */
  readonly storage: StorageWatch;
  /** Sends messages about issues. */
  readonly notifications: OutgoingMessages;
  readonly settings: EngineSettings;
}

export interface EngineSettings extends BuildVersion {
  /** The address of this server for SDKs and people, without a trailing slash. Null: the address of the request. */
  publicUrl: string | null;
  /** A path that takes envelopes of every project, like `/t/`. */
  neutralPath: string;
  /** Bearer token of the owner for the web API. Null: there is none. */
  apiToken: string | null;
  retention: Retention;
  /** Null: no proxy signs people in. */
  proxySignIn: ProxySignIn | null;
  /** Whether uptime monitors may check addresses outside of the public internet. */
  allowsPrivateChecks: boolean;
  /** Whether session cookies have `Secure` even if the request came by http, from a proxy that is not trusted. */
  trustProxy: boolean;
}

const KEY = Symbol.for("culprit.engine");
type Registry = { [KEY]?: Engine };

export function registerEngine(engine: Engine | undefined): void {
  (globalThis as Registry)[KEY] = engine;
}

/** @throws if no engine runs in this process. */
export function requireEngine(): Engine {
  const engine = (globalThis as Registry)[KEY];
  if (!engine) throw new Error("no engine runs in this process");
  return engine;
}
