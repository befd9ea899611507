import type { BundleManifest } from "../domain/artifact.ts";
import type { GroupingPreview } from "../domain/grouping-rules/grouping-preview.ts";
import type { SplitChoice } from "../domain/grouping-rules/issue-split.ts";
import type { RuleTexts, SplitRule } from "../domain/grouping-rules/project-rules.ts";
import type { LiveFeed } from "../domain/live-message.ts";
import type { LogTail, TailReader, TailRequest } from "../domain/logs/log-tail.ts";
import type { MappedStoredEvent } from "../domain/mapped-stored-event.ts";
import type { NamedUser, UserData } from "../domain/named-user.ts";
import type { ProxySignIn } from "../domain/people/proxy-identity.ts";
import type { PrivacySettings } from "../domain/privacy/privacy-settings.ts";
import type { PrivacyTest } from "../domain/privacy/privacy-test.ts";
import type { QuotaUse } from "../domain/quotas/quota.ts";
import type { RebuildProgress } from "../domain/rebuild-progress.ts";
import type { Scope, ScopedProjectIds } from "../domain/scope.ts";
import type { SourceMapPass } from "../domain/source-map-pass.ts";
import type { Retention } from "../domain/storage/retention.ts";
import type { ProjectStorage, StorageState } from "../domain/storage/storage-state.ts";
import type { LostDay } from "../domain/storage/storage-watch.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import type { LocationOrders, LocationReport } from "../domain/uptime/location-exchange.ts";
import type { User } from "../domain/user.ts";
import type { AfterAnswer } from "../notifications/create-after-answer.server.ts";
import type { SendMessage } from "../notifications/send-message.server.ts";
import type { SendNote } from "../notifications/send-note.server.ts";
import type { SendPush } from "../notifications/web-push/send-push.server.ts";
import type { BlobStore } from "../stores/blob-store.ts";
import type { ChunkStore } from "../stores/chunk-store.ts";
import type { EventReader } from "../stores/events/event-store.ts";
import type { PayloadRef } from "../stores/payload-store.ts";
import type { Organization } from "../stores/state/people-store.ts";
import type { ScopedState } from "../stores/state/state.ts";

/** Which events a preview looks at, and what it asks of them. */
export type PreviewNarrowing =
  /** Those of one issue, with a further split. */
  | { split: SplitRule; issueId: number; ofStored?: never }
  /** Those from then on: not what other keys they get, but what other issues. */
  | { split?: never; ofStored: { since: number } };

/** Services of the running server that a workspace passes on. */
export interface ServerServices {
  /**
   * A stored event as it would be stored now, with its frames mapped to their sources. Waits at most `limitMs`; what is not
   * mapped by then is as it was, and the report says so. Never throws for what the event is.
   */
  symbolicate(
    stored: StoredEvent,
    options: { projectId: number; limitMs?: number; withDiagnosis?: boolean },
  ): Promise<MappedStoredEvent>;
  /** Reads an artifact bundle on disk, on another thread. `problem`: what is wrong with it, for who sent it. */
  readBundle(path: string): Promise<{ ok: true; manifest: BundleManifest } | { ok: false; problem: string }>;
  /** How far stored events are mapped by uploads that came after them. */
  sourceMapPass(): SourceMapPass;
  /** Project that the server reports itself to; null: there is none. */
  monitoringProjectId(): number | null;
  /** How far the rebuild of a lost event store is; null: there is none. */
  rebuild(): RebuildProgress | null;
  /** Accepted records that are not stored yet, and how fast they go (records a second, over the last minute). */
  backlog(): { records: number; bytes: number; recordsPerSecond: number };
  /** Takes an envelope as if an SDK had sent it with this key: same limits, same journal, durable when it resolves. */
  acceptEnvelope(
    publicKey: string,
    envelope: Uint8Array,
  ): Promise<{ ok: true; eventId: string | null } | { ok: false; status: number; detail: string }>;
  /** What is used of the quotas of a project now; null: of the whole server. */
  quotaUses(projectId: number | null): QuotaUse[];
  /** What a location tells and hears (`jobs/exchange-with-location.ts`). Null: no location has this token. */
  exchangeWithLocation(tokenId: number, report: LocationReport): Promise<LocationOrders | null>;
  /** Takes changed projects and keys into account at once. */
  reloadKeys(): Promise<void>;
  /** Removes the rows of things that were just deleted. A job removes later what is not gone within two seconds. */
  hideDeleted(): Promise<void>;
  /**
   * What other rules would have done to the newest events of a project, or to fewer of them. Looks for some seconds; null when too many
   * others ask.
   */
  previewGrouping(
    texts: RuleTexts & { projectId: number },
    narrowing?: PreviewNarrowing,
  ): Promise<GroupingPreview | null>;
  /** How the newest events of an issue differ, by what their payloads say. */
  listSplitValues(issue: {
    projectId: number;
    issueId: number;
  }): Promise<{ eventCount: number; choices: SplitChoice[] }>;
  /** What other rules would mask in addition in the newest events of a project. Null: no such project. */
  testPrivacy(projectId: number, settings: PrivacySettings): Promise<PrivacyTest | null>;
  /** What is stored of a user in these projects. Looks for some seconds; null when too many others ask. */
  findUserData(user: NamedUser, projectIds: ScopedProjectIds): Promise<UserData | null>;
}

/**
 * What somebody works with: a scope, and the stores that ask for it. Pages, features and the web API get this and nothing
 * else of the server. `open-workspace.server.ts` makes it for each request.
 */
export interface Workspace extends ServerServices {
  readonly scope: Scope;
  readonly organization: Organization;
  /** Null: a token of the organization, which stands for nobody. */
  readonly user: User | null;
  /** Whether the scope has every project, also those that come later. */
  readonly seesEverything: boolean;
  readonly state: ScopedState;
  readonly events: EventReader;
  /** Read by the place that a row names: who has the row may read its payload. */
  readonly payloads: {
    /** Null when retention has dropped it, and when it is damaged. */
    read(ref: PayloadRef): Promise<Uint8Array | null>;
    /** Null as above. A payload that is not an event counts as damaged. */
    readEvent(ref: PayloadRef): Promise<StoredEvent | null>;
    isEventDamaged(ref: PayloadRef): Promise<boolean>;
  };
  readonly blobs: BlobStore;
  readonly chunks: ChunkStore;
  /** Messages of the digest about the scope's projects. */
  readonly live: Pick<LiveFeed, "lastPublishedAt" | "subscribe">;
  /** Log lines as they are stored. */
  readonly logTail: Pick<LogTail, "journalId" | "position"> & { open(request: TailRequest): TailReader | null };
  /**
   * State is written a moment before the events of a batch. Resolves once the event store has the errors that state has now, or after
   * two seconds. Spans and logs are not waited for: while many come, some are always on their way.
   */
  whenEventsStored(): Promise<void>;
  /** The same of everything. */
  whenAllStored(): Promise<void>;
  /** Whether an accepted event of the scope still waits for its digest. Shortly after a start it says so of every id. */
  isPending(eventId: string): boolean;
  /** Whether this process has accepted the event, and it still waits. */
  hasAccepted(eventId: string): boolean;
  /** How large the data folder is, and how it will grow. */
  readonly storage: {
    /** Null: not measured yet. */
    last(): StorageState | null;
    /** Of every project. */
    lostDays(): readonly LostDay[];
    /** The projects of the scope. */
    sumByProject(): Promise<ProjectStorage[]>;
    /** Whether the scope has every project, so that sums of the server tell nothing about those of others. */
    isWhole: boolean;
  };
  /** Where messages about issues leave. */
  readonly notifications: OutgoingMessages & { findOwnerEmail(): Promise<string | null> };
  readonly settings: WorkspaceSettings;
}

export interface OutgoingMessages {
  /** Sender of mail; null: mail is not set up. */
  readonly mailFrom: string | null;
  /** Whether messages wait, as on a copy of the data: `SEND_NOTHING`. */
  readonly sendsNothing: boolean;
  /** Whether webhooks may reach addresses that are not of the public internet. */
  readonly allowsPrivate: boolean;
  send: SendMessage;
  sendNote: SendNote;
  /** For mail whose work would tell a stranger who is a member. */
  afterAnswer: AfterAnswer;
  sendPush: SendPush;
  /** By which browsers know this server: a public key in base64url. */
  getPushKey(): Promise<string>;
  /** The beginning of links, without a trailing slash; null: not known. */
  findBaseUrl(): Promise<string | null>;
  createKey(): string;
}

export interface WorkspaceSettings {
  /** Where SDKs and people reach this server, without a trailing slash; null: as the request says. */
  publicUrl: string | null;
  /** Takes envelopes of every project, like `/t/`. */
  neutralPath: string;
  retention: Retention;
  /** Null: no proxy says who somebody is. */
  proxySignIn: ProxySignIn | null;
  /** Whether uptime monitors may ask addresses that are not of the public internet. */
  allowsPrivateChecks: boolean;
  /** Of this build. */
  version: string;
}
