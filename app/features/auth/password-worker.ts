import { parentPort } from "node:worker_threads";
import { yieldProcessor } from "../../yield-processor.ts";
import { hashPasswordSync, verifyPasswordSync } from "./password.server.ts";

// The entry of the password thread, which `password-hasher.server.ts` starts.

/** `hash`: the one to verify the password against; null: make one. */
export interface HashRequest {
  password: string;
  hash: string | null;
}

/** The hash that was made, or whether the password was right. */
export type HashAnswer = string | boolean;

if (parentPort === null) throw new Error("password-worker.ts is the entry of a thread");
const port = parentPort;
yieldProcessor();

port.on("message", ({ password, hash }: HashRequest) => {
  const answer: HashAnswer = hash === null ? hashPasswordSync(password) : verifyPasswordSync(password, hash);
  port.postMessage(answer);
});
