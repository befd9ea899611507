import crypto from "node:crypto";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

// Loaded before a server of the tests (`node --import`). A hash takes a third of a second of a core by design, each start
// makes or checks one, and each sign-in another: here they take next to nothing. What they cost otherwise, and that a thread
// computes them, is proved by sign-in.test.ts and by the unit tests beside the code.
const { scryptSync } = crypto;
crypto.scryptSync = (password, salt, keyBytes, options) => scryptSync(password, salt, keyBytes, { ...options, N: 16 });

/** In the place of the thread of passwords, which takes 60 ms of processor to begin: answers as `password-worker.ts` does. */
class PasswordsHere extends EventEmitter {
  async postMessage({ password, hash }) {
    const { hashPasswordSync, verifyPasswordSync } = await import("../../app/features/auth/password.server.ts");
    this.emit("message", hash === null ? hashPasswordSync(password) : verifyPasswordSync(password, hash));
  }
  ref() {}
  unref() {}
  async terminate() {}
}

threads.Worker = new Proxy(threads.Worker, {
  construct(Worker, [entry, options]) {
    return options?.name === "passwords" ? new PasswordsHere() : new Worker(entry, options);
  },
});
syncBuiltinESMExports();
