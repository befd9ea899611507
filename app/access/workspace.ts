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

/** The events that a preview reads, and its question about them. */
export type PreviewNarrowing =
  /** The events of one issue, with a further split. */
  | { split: SplitRule; issueId: number; ofStored?: never }
  /** The events since an instant. The question is not which other keys they get, but which other issues. */
  | { split?: never; ofStored: { since: number } };

/** Services of the running server that a workspace passes on. */
export interface ServerServices {
  /**
   * Maps the frames of a stored event to their sources, as it would be stored now. Waits at most `limitMs`. Frames that are not mapped by
   * then stay as they are, and the report says so. No event makes it throw.
   */
  symbolicate(
    stored: StoredEvent,
    options: { projectId: number; limitMs?: number; withDiagnosis?: boolean },
  ): Promise<MappedStoredEvent>;
  /** Reads an artifact bundle on disk, on another thread. `problem`: what is wrong with it, in words for its sender. */
  readBundle(path: string): Promise<{ ok: true; manifest: BundleManifest } | { ok: false; problem: string }>;
  /** How far stored events are mapped by uploads that came after them. */
  sourceMapPass(): SourceMapPass;
  /** The project to which the server reports its own errors. Null: there is none. */
  monitoringProjectId(): number | null;
  /** The progress of the rebuild of a lost event store. Null: there is no rebuild. */
  rebuild(): RebuildProgress | null;
  /** Accepted records that are not stored yet. `recordsPerSecond`: how fast they are stored, over the last minute. */
  backlog(): { records: number; bytes: number; recordsPerSecond: number };
  /**
   * Accepts an envelope as if an SDK had sent it with this key: with the same limits, into the same journal. It is durable when the promise
   * resolves.
   */
  acceptEnvelope(
    publicKey: string,
    envelope: Uint8Array,
  ): Promise<{ ok: true; eventId: string | null } | { ok: false; status: number; detail: string }>;
  /** How much of the quotas of a project is used now. Null: of the quotas of the whole server. */
  quotaUses(projectId: number | null): QuotaUse[];
  /** Takes the report of a location and answers with its tasks (`jobs/exchange-with-location.ts`). Null: no location has this token. */
  exchangeWithLocation(tokenId: number, report: LocationReport): Promise<LocationOrders | null>;
  /** Makes changed projects and keys take effect at once. */
  reloadKeys(): Promise<void>;
  /** Removes the rows of things that were deleted just now. A job later removes what is left after two seconds. */
  hideDeleted(): Promise<void>;
  /**
   * What other rules would have done to the newest events of a project, or to a part of them. It reads for some seconds. Null: too many
   * others ask at the same time.
   */
  previewGrouping(
    texts: RuleTexts & { projectId: number },
    narrowing?: PreviewNarrowing,
  ): Promise<GroupingPreview | null>;
  /** The values by which the newest events of an issue differ, read from their payloads. */
  listSplitValues(issue: {
    projectId: number;
    issueId: number;
  }): Promise<{ eventCount: number; choices: SplitChoice[] }>;
  /** What other rules would mask in addition in the newest events of a project. Null: the project does not exist. */
  testPrivacy(projectId: number, settings: PrivacySettings): Promise<PrivacyTest | null>;
  /** The data of a user that is stored in these projects. It searches for some seconds. Null: too many others ask at the same time. */
  findUserData(user: NamedUser, projectIds: ScopedProjectIds): Promise<UserData | null>;
}

/**
 * What a caller works with: a scope, and the stores that require it. Pages, features and the web API get this and nothing else of the
 * server. `open-workspace.server.ts` makes it for each request.
 */
export interface Workspace extends ServerServices {
  readonly scope: Scope;
  readonly organization: Organization;
  /** Null: a token of the organization, which belongs to no person. */
  readonly user: User | null;
  /** Whether the scope has every project, including later ones. */
  readonly seesEverything: boolean;
  readonly state: ScopedState;
  readonly events: EventReader;
  /** Payloads are read by the place that a row names, so everybody who gets a row may read its payload. */
  readonly payloads: {
    /** Null: retention deleted the payload, or it is damaged. */
    read(ref: PayloadRef): Promise<Uint8Array | null>;
    /** Null as above. A payload that is no event counts as damaged. */
    readEvent(ref: PayloadRef): Promise<StoredEvent | null>;
    isEventDamaged(ref: PayloadRef): Promise<boolean>;
  };
  readonly blobs: BlobStore;
  readonly chunks: ChunkStore;
  /** Messages of the digest about the scope's projects. */
  readonly live: Pick<LiveFeed, "lastPublishedAt" | "subscribe">;
  /** New log lines, as they are stored. */
  readonly logTail: Pick<LogTail, "journalId" | "position"> & { open(request: TailRequest): TailReader | null };
  /**
   * Resolves when the event store has the errors that state has now, or after two seconds. State is written a moment before the events of a
   * batch. It does not wait for spans and logs: when many come, some are always on their way.
   */
  whenEventsStored(): Promise<void>;
  /** The same for all kinds of data. */
  whenAllStored(): Promise<void>;
  /** Whether an accepted event of the scope still waits for its digest. Shortly after a start it is true for every id. */
  isPending(eventId: string): boolean;
  /** Whether this process has accepted the event and the event still waits. */
  hasAccepted(eventId: string): boolean;
  /** The size of the data folder, and its expected growth. */
  readonly storage: {
    /** Null: it is not measured yet. */
    last(): StorageState | null;
    /** The lost days of all projects. */
    lostDays(): readonly LostDay[];
    /** Sums for the projects of the scope. */
    sumByProject(): Promise<ProjectStorage[]>;
    /** Whether the scope has every project. Only then may sums of the whole server be shown, which reveal other projects. */
    isWhole: boolean;
  };
  /** Sends messages about issues. */
  readonly notifications: OutgoingMessages & { findOwnerEmail(): Promise<string | null> };
  readonly settings: WorkspaceSettings;
}

export interface OutgoingMessages {
  /** The sender of mail. Null: mail is not set up. */
  readonly mailFrom: string | null;
  /** Whether messages are held back, as on a copy of the data: `SEND_NOTHING`. */
  readonly sendsNothing: boolean;
  /** Whether webhooks may be at addresses outside of the public internet. */
  readonly allowsPrivate: boolean;
  send: SendMessage;
  sendNote: SendNote;
  /** For mail whose sending must not reveal to a stranger who is a member. */
  afterAnswer: AfterAnswer;
  sendPush: SendPush;
  /** The public key by which browsers know this server, in base64url. */
  getPushKey(): Promise<string>;
  /** The start of links, without a trailing slash. Null: it is unknown. */
  findBaseUrl(): Promise<string | null>;
  createKey(): string;
}

export interface WorkspaceSettings {
  /** The address of this server for SDKs and people, without a trailing slash. Null: the address of the request. */
  publicUrl: string | null;
  /** A path that takes envelopes of every project, like `/t/`. */
  neutralPath: string;
  retention: Retention;
  /** Null: no proxy signs people in. */
  proxySignIn: ProxySignIn | null;
  /** Whether uptime monitors may check addresses outside of the public internet. */
  allowsPrivateChecks: boolean;
  /** The version of this build. */
  version: string;
}
