import type { HasherBusy } from "../../domain/people/password-hasher.ts";

/** Thrown through better-auth, which has no "try again later" for passwords. */
export class HashesAreBusy extends Error {
  readonly busy: HasherBusy;

  constructor(busy: HasherBusy) {
    super("too many passwords are being hashed");
    this.busy = busy;
  }
}
