import type { HasherBusy } from "../../domain/people/password-hasher.ts";

/** Thrown through better-auth, which knows no "try again later" of passwords. */
export class HashesAreBusy extends Error {
  readonly busy: HasherBusy;

  constructor(busy: HasherBusy) {
    super("too many passwords are being hashed");
    this.busy = busy;
  }
}
