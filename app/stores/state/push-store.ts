import type { NewPushSubscription, PushSubscription, Reach } from "../../domain/push/push-subscription.ts";

/** A browser of a person, with what became of the messages to it. */
export interface PushBrowser extends Pick<PushSubscription, "id" | "browser" | "endpoint" | "createdAt"> {
  lastDeliveredAt: number | null;
  lastFailedAt: number | null;
  /** The push service's answer to the last failure. */
  lastFailure: string | null;
}

/** The settings that decide how a person is told. */
export interface PersonalReach {
  reach: Reach;
  /** Ids of the browsers in which the person wants to be told. */
  browserIds: readonly number[];
}

/** Browsers that are told by web push, and what reaches whom how. */
export interface PushStore {
  /** Returns the keys of the first call, whatever later calls offer. */
  getKeys(make: () => { publicKey: string; privateKey: string }): Promise<{ publicKey: string; privateKey: string }>;
  listBrowsers(userId: number): Promise<PushBrowser[]>;
  getSubscription(id: number): Promise<PushSubscription | null>;
  /** Null: no browser has this address. */
  findByEndpoint(endpoint: string): Promise<{ id: number; userId: number } | null>;
  /**
   * Adds a browser for this person. A browser that is known already moves to this person. Null: the person has the largest number of
   * browsers.
   */
  subscribe(userId: number, subscription: NewPushSubscription, at: number): Promise<number | null>;
  /** Deletes its waiting messages, too. False: the person has no such browser. `userId` null: the browser of any person. */
  unsubscribe(userId: number | null, id: number): Promise<boolean>;
  noteResult(id: number, result: { at: number; isOk: boolean; answer: string }): Promise<void>;
  getReach(userId: number): Promise<Reach>;
  /** Waiting messages keep the way that they have. */
  saveReach(userId: number, reach: Reach): Promise<void>;
  /** Only people who have chosen something, or have a browser. All others have the defaults, and no browser. */
  listReach(): Promise<ReadonlyMap<number, PersonalReach>>;
}
