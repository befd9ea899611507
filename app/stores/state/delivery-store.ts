import type { ChannelResults } from "../../domain/channels/channel.ts";
import type {
  Act,
  FeedbackNews,
  Report,
  RuleNews,
  TargetKind,
  Transition,
  Trouble,
} from "../../domain/notification.ts";
import type { Scope } from "../../domain/scope.ts";

/** The receiver of a message. */
export interface DeliveryTarget {
  /** 0: of no project, as a report. */
  projectId: number;
  /** `person`: a member, by mail; `push`: a browser of one. Neither is one of the project's own targets. `channel`: one of the organization's. */
  channel: TargetKind;
  /** The e-mail address; of a channel its id, of a person that of the user, of a browser `user/browser`. */
  address: string;
}

/** An issue that a message names. */
export interface NewsItem {
  transition: Transition | RuleNews | Act | Trouble | Report | FeedbackNews;
  /** 0: it is about none. */
  issueId: number;
  /** Only for `feedback`. */
  feedbackId?: number;
  eventId: string;
  at: number;
  release: string | null;
  /** For acts: the name of the person who did it. Null: a token of the organization. */
  by?: string | null;
  /** For `assigned`: the line of the ownership rule that assigned the issue. */
  ownershipRule?: string;
  /** The comment that it is about. */
  commentId?: number;
  /** The name of the alert rule that tells it; absent: none does. */
  rule?: string;
  /** Names of other rules that send the same. */
  otherRules?: readonly string[];
  /** Only for numbers: what the rule waited for, like `20 users in 10 minutes`. */
  reached?: string;
  /** For `regressed`: why the issue came back from the archive, like `100 more events since it was archived`. */
  back?: string;
  /** For `escalated`: how long nobody has acknowledged it, like `15 minutes`. */
  unansweredFor?: string;
  /** For the fallback channel: the name of the target that could not be reached. */
  insteadOf?: string;
  /** For `undelivered`: the target's answer. */
  failure?: string;
}

/** Changes that a message only counts. */
export type NewsCounts = Record<Transition, number> &
  Partial<Record<Act | RuleNews | Trouble | Report | FeedbackNews, number>>;

/** A message to send. */
export interface Delivery {
  id: number;
  /** The id of this message, the same for all attempts: 32 hex characters. */
  key: string;
  target: DeliveryTarget;
  /** At most `MAX_NAMED_ISSUES`, in the order in which they happened. */
  items: NewsItem[];
  /** Changes that are only counted. */
  more: NewsCounts;
  /** This attempt included: 1 for the first. */
  attempts: number;
  createdAt: number;
}

/** Messages that only wait for each other. */
export interface DeliveryLane {
  kinds: readonly TargetKind[];
  /** True: only messages that were tried before. False: only messages that were never tried. */
  hasFailed: boolean;
}

export interface ClaimedDelivery {
  now: number;
  retryAt: (attempts: number) => number;
  /** Absent: of any. */
  lane?: DeliveryLane;
  /** Addresses. */
  butNotTo?: readonly string[];
}

export interface DeadDelivery extends Omit<Delivery, "key"> {
  diedAt: number;
  failure: string;
}

/** The results of the messages to one target. */
export interface ChannelState extends ChannelResults {
  target: DeliveryTarget;
}

/** Dead letters of a project; older ones are deleted. */
export const MAX_DEAD_DELIVERIES = 100;

/**
 * The queue of messages. A target has at most two waiting messages: one that is being tried, and one that collects what happens
 * meanwhile. They are sent in this order. A message counts as tried before it is sent, so that a crash sends it twice rather than
 * never.
 */
export interface DeliveryStore {
  /**
   * Atomic: adds what happened to the messages that collect for their targets, or makes new ones, and puts the reader of the
   * outbox after `position`. So each entry of the outbox becomes part of exactly one message to each target.
   */
  enqueue(request: {
    reader: string;
    position: number;
    news: ReadonlyArray<{ target: DeliveryTarget; items: readonly NewsItem[] }>;
    now: number;
    createKey: () => string;
  }): Promise<void>;
  /**
   * Takes the message that has been due for longest, and counts the attempt. A message to a person for whom it is quiet waits, and goes
   * on collecting (`QuietHoursStore`). Unless it is confirmed or failed before, it is due
   * again at `retryAt(attempts)`. Null: none is due.
   */
  claim(request: ClaimedDelivery): Promise<Delivery | null>;
  /** The message arrived: it goes, and the target's next one waits until `nextMessageAt`. */
  confirm(delivery: Delivery, result: { at: number; answer: string; nextMessageAt: number }): Promise<void>;
  /**
   * Notes that the message did not arrive. `retryAt` null: it becomes a dead letter, and the target's next message waits as after
   * `confirm`. With `forwardKey`, the fallback channel gets this message, and later ones for the target until one of them arrives.
   */
  fail(
    delivery: Delivery,
    result: {
      at: number;
      failure: string;
      retryAt: number | null;
      nextMessageAt: number;
      forwardKey?: (() => string) | undefined;
    },
  ): Promise<void>;
  /** The message is not wanted any more, because its target or its issues are gone. */
  discard(delivery: Delivery): Promise<void>;
  /** Saves the result of a message outside of the queue: a test, a later change. The project of a channel that was tested by itself is 0. */
  noteTest(scope: Scope, target: DeliveryTarget, result: { at: number; isOk: boolean; answer: string }): Promise<void>;
  /** The targets of a project, by channel and address; persons are none. */
  listChannels(scope: Scope, projectId: number): Promise<ChannelState[]>;
  /** The dead letters of a project, the newest first, without those to persons. */
  listDead(scope: Scope, projectId: number): Promise<DeadDelivery[]>;
  /** After a change of settings: what waits for other targets goes, what waits for these is due at once. Persons are left alone. */
  keepTargets(scope: Scope, projectId: number, targets: readonly DeliveryTarget[], now: number): Promise<void>;
  /** `failing`: waiting messages that failed `FAILING_ATTEMPTS` times. Dropped messages are not counted. */
  countDeliveries(): Promise<{ waiting: number; failing: number; dead: number }>;
}
