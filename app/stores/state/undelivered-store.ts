import type { Scope } from "../../domain/scope.ts";
import type { Delivery } from "./delivery-store.ts";

/** A message that was given up, or that failed often enough to be shown. */
export interface Undelivered extends Omit<Delivery, "key"> {
  /** The name of the channel or of the person, or the address; null: the channel or the person is gone. */
  name: string | null;
  /** Null: it is still tried, next at `nextAttemptAt`. */
  diedAt: number | null;
  nextAttemptAt: number;
  failure: string;
}

/** Which messages one asks for. */
export interface UndeliveredFilter {
  /** Whether mails to persons are among them: those tell what others did. */
  withPeople: boolean;
  /** Absent: all of the scope. */
  ids?: readonly number[];
}

/** Failed attempts after which a message that is still tried counts as not delivered: some two minutes after the first. */
export const FAILING_ATTEMPTS = 3;
/** The list shows as many. */
export const MAX_UNDELIVERED = 200;

/** Messages that did not arrive, over the projects of a scope. */
export interface UndeliveredStore {
  /** The messages that are still tried come first, then the dead letters, newest first. */
  list(scope: Scope, filter: UndeliveredFilter): Promise<Undelivered[]>;
  /** `failing`: still tried. */
  count(scope: Scope, filter: UndeliveredFilter): Promise<{ failing: number; dead: number }>;
  /** Makes the messages due at once. A dead letter gets all of its attempts again. Returns how many. */
  retry(scope: Scope, filter: UndeliveredFilter & { now: number }): Promise<number>;
  /** Hides dead letters. They can be restored for an hour. Returns their ids. */
  drop(scope: Scope, filter: UndeliveredFilter & { now: number }): Promise<number[]>;
  /** Restores hidden messages as dead letters. Returns how many. */
  restore(scope: Scope, filter: UndeliveredFilter): Promise<number>;
  /** The channel that gets messages for targets that cannot be reached. Null: there is none. */
  getFallback(): Promise<{ id: number; name: string } | null>;
  /** False: there is no such channel that serves all projects: every scope has those. Null: none from now on. */
  setFallback(scope: Scope, channelId: number | null): Promise<boolean>;
}
