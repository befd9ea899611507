import { parentPort } from "node:worker_threads";
import { yieldProcessor } from "../../yield-processor.ts";
import { hashPasswordSync, verifyPasswordSync } from "./password.server.ts";

// The entry file of the password thread, which `password-hasher.server.ts` starts.

/** `hash`: the hash to verify the password against. Null: make a new hash. */
export interface HashRequest {
  password: string;
  hash: string | null;
}

/** The new hash, or whether the password was correct. */
export type HashAnswer = string | boolean;

if (parentPort === null) throw new Error("password-worker.ts is the entry of a thread");
const port = parentPort;
yieldProcessor();

port.on("message", ({ password, hash }: HashRequest) => {
  const answer: HashAnswer = hash === null ? hashPasswordSync(password) : verifyPasswordSync(password, hash);
  port.postMessage(answer);
});
