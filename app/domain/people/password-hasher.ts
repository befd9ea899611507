/** The queue in which a hash waits. Each queue has its own places, and `known` goes first. */
export type HashLane = "known" | "strangers";

/** The queue of the lane is full: nothing was computed. */
export interface HasherBusy {
  ok: false;
  reason: "busy";
  retryAfterSeconds: number;
}

export interface HashOptions {
  /** `known`: a signed-in person, a browser that was signed in before, or the operator's configuration. */
  lane: HashLane;
  /** Gives the place in the queue back; the promise rejects with the signal's reason. A hash that has begun is finished. */
  signal?: AbortSignal;
}

/** Hashes passwords one at a time, off every thread that handles events. */
export interface PasswordHasher {
  /** The refusal that `hash` and `verify` would give now. Null: the queue has room. */
  findBusy(lane: HashLane): HasherBusy | null;
  hash(password: string, options: HashOptions): Promise<{ ok: true; hash: string } | HasherBusy>;
  /** `isRight` is false for a hash in a format that is not Culprit's. */
  verify(password: string, hash: string, options: HashOptions): Promise<{ ok: true; isRight: boolean } | HasherBusy>;
}
