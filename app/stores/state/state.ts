import type { ActLinkStore } from "./act-link-store.ts";
import type { AlertPeriodStore, AlertPeriodWork } from "./alert-period-store.ts";
import type { AlertStore, AlertWork } from "./alert-store.ts";
import type { ArchiveStore } from "./archive-store.ts";
import type { ArtifactIndex } from "./artifact-index.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import type { AuditReader, AuditStore } from "./audit-store.ts";
import type { BatchStore } from "./batch-store.ts";
import type { ChannelMessageStore } from "./channel-message-store.ts";
import type { ChannelStore } from "./channel-store.ts";
import type { CommentStore } from "./comment-store.ts";
import type { DamageStore } from "./damage-store.ts";
import type { DeletionStore, DeletionWork } from "./deletion-store.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import type { DirectoryStore } from "./directory-store.ts";
import type { EmailChangeStore } from "./email-change-store.ts";
import type { ExpirationStore } from "./expiration-store.ts";
import type { ExternalIssueStore } from "./external-issue-store.ts";
import type { EarlierFeedbackStore, FeedbackLinks, FeedbackStore } from "./feedback-store.ts";
import type { FindingStore } from "./finding-store.ts";
import type { GroupingRuleIndex, GroupingRuleStore } from "./grouping-rule-store.ts";
import type { HealthStore } from "./health-store.ts";
import type { InvitationStore, LinkStore } from "./invitation-store.ts";
import type { IssueMergeStore, RegroupingRequests } from "./issue-merge-store.ts";
import type { IssueSplitStore } from "./issue-split-store.ts";
import type { IssueStore } from "./issue-store.ts";
import type { JobStore } from "./job-store.ts";
import type { MemberStore } from "./member-store.ts";
import type { MetricStore, MetricWork } from "./metric-store.ts";
import type { MonitorStore } from "./monitor-store.ts";
import type { MonitorWatch } from "./monitor-watch.ts";
import type { NoiseStore, NoiseWork } from "./noise-store.ts";
import type { NotificationStore } from "./notification-store.ts";
import type { OutboxStore } from "./outbox-store.ts";
import type { OutcomeStore } from "./outcome-store.ts";
import type { PasskeyStore } from "./passkey-store.ts";
import type { PeopleStore } from "./people-store.ts";
import type { ProjectStore } from "./project-store.ts";
import type { ProviderSignInStore, ProviderStore } from "./provider-store.ts";
import type { PushStore } from "./push-store.ts";
import type { QuietHoursStore } from "./quiet-hours-store.ts";
import type { QuotaIndex, QuotaStore } from "./quota-store.ts";
import type { ReleaseStore } from "./release-store.ts";
import type { RepositoryStore } from "./repository-store.ts";
import type { ReprocessingStore } from "./reprocessing-store.ts";
import type { RuleMoveStore, RuleMoveWork } from "./rule-move-store.ts";
import type { RuleIndex, RuleStore } from "./rule-store.ts";
import type { SavedViewStore } from "./saved-view-store.ts";
import type { SecondFactorStore } from "./second-factor-store.ts";
import type { ShareLinks, ShareStore } from "./share-store.ts";
import type { SilenceStore } from "./silence-store.ts";
import type { StatusPageLinks, StatusPageStore } from "./status-page-store.ts";
import type { SuggestionStore, SuggestionWork } from "./suggestion-store.ts";
import type { TokenStore } from "./token-store.ts";
import type { TriageStore } from "./triage-store.ts";
import type { UndeliveredStore } from "./undelivered-store.ts";
import type { UptimeLocationStore, UptimeLocationWork } from "./uptime-location-store.ts";
import type { UptimeStore, UptimeWork } from "./uptime-store.ts";
import type { VolumeStore } from "./volume-store.ts";

/** State that people and their tools read and change, always with a scope. */
export interface ScopedState {
  readonly issues: IssueStore;
  readonly triage: TriageStore;
  readonly comments: CommentStore;
  readonly suggestions: SuggestionStore;
  readonly externalIssues: ExternalIssueStore;
  readonly shares: ShareStore;
  readonly projects: ProjectStore;
  readonly outcomes: OutcomeStore;
  readonly rules: RuleStore;
  readonly quotas: QuotaStore;
  readonly volumes: VolumeStore;
  readonly releases: ReleaseStore;
  readonly artifacts: ArtifactStore;
  readonly monitors: MonitorStore;
  readonly feedback: FeedbackStore;
  readonly uptime: UptimeStore;
  readonly uptimeLocations: UptimeLocationStore;
  readonly statusPages: StatusPageStore;
  readonly metrics: MetricStore;
  readonly health: HealthStore;
  /** The organization's, as its tokens are: the same for everybody in it. */
  readonly repositories: RepositoryStore;
  readonly members: MemberStore;
  readonly invitations: InvitationStore;
  readonly emailChanges: EmailChangeStore;
  readonly providers: ProviderStore;
  readonly tokens: TokenStore;
  readonly savedViews: SavedViewStore;
  readonly notifications: NotificationStore;
  readonly deliveries: DeliveryStore;
  readonly undelivered: UndeliveredStore;
  /** Quiet hours of each person. */
  readonly quietHours: QuietHoursStore;
  readonly push: PushStore;
  readonly alerts: AlertStore;
  readonly alertPeriods: AlertPeriodStore;
  readonly alertNoise: NoiseStore;
  readonly silences: SilenceStore;
  readonly channels: ChannelStore;
  readonly deletions: DeletionStore;
  readonly groupingRules: GroupingRuleStore;
  readonly issueMerges: IssueMergeStore;
  readonly issueSplits: IssueSplitStore;
  readonly ruleMoves: RuleMoveStore;
  /** Background jobs of the server. */
  readonly jobs: JobStore;
  /** The audit log: who changed what in the organization. */
  readonly audit: AuditReader;
}

/** State that people change, and the counts that lists are sorted by: one database, a store for each noun. */
export interface State extends ScopedState {
  readonly people: PeopleStore;
  readonly links: LinkStore;
  readonly shareLinks: ShareLinks;
  readonly statusPageLinks: StatusPageLinks;
  readonly suggestionWork: SuggestionWork;
  readonly actLinks: ActLinkStore;
  readonly audit: AuditStore;
  readonly passkeys: PasskeyStore;
  readonly secondFactors: SecondFactorStore;
  readonly providerSignIns: ProviderSignInStore;

  // The server's own: without a scope, and out of reach of pages and the web API.
  readonly directory: DirectoryStore;
  readonly artifactIndex: ArtifactIndex;
  readonly groupingRuleIndex: GroupingRuleIndex;
  readonly regroupingRequests: RegroupingRequests;
  readonly ruleMoveWork: RuleMoveWork;
  readonly ruleIndex: RuleIndex;
  readonly quotaIndex: QuotaIndex;
  readonly reprocessing: ReprocessingStore;
  readonly batches: BatchStore;
  readonly feedbackLinks: FeedbackLinks;
  readonly earlierFeedback: EarlierFeedbackStore;
  readonly archives: ArchiveStore;
  readonly outbox: OutboxStore;
  readonly channelMessages: ChannelMessageStore;
  readonly alertWork: AlertWork;
  readonly alertPeriodWork: AlertPeriodWork;
  readonly alertNoiseWork: NoiseWork;
  readonly findings: FindingStore;
  readonly monitorWatch: MonitorWatch;
  readonly uptimeWork: UptimeWork;
  readonly uptimeLocationWork: UptimeLocationWork;
  readonly metricWork: MetricWork;
  readonly deletionWork: DeletionWork;
  readonly expirations: ExpirationStore;
  readonly damage: DamageStore;

  /**
   * Removes deleted data from the file and its log. Database pages without content are overwritten when they are released. False: a reader
   * or a writer was in the way, and some of the data is left.
   */
  checkpoint(): Promise<boolean>;
  /** Drops trends, ledger rows and wanted source maps older than their retention. Returns how many rows were deleted. */
  dropBefore(instantMs: number): Promise<number>;

  ping(): Promise<void>;
  bytesOnDisk(): Promise<number>;
  close(): Promise<void>;
}
