import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

// Loaded before a server of the tests (`node --import`). A hash takes a third of a second of a core by design, each start
// makes or checks one, and each sign-in another: here they take next to nothing. What they cost otherwise is proved by
// sign-in.test.ts and by the unit tests beside the code.
const { scryptSync } = crypto;
crypto.scryptSync = (password, salt, keyBytes, options) => scryptSync(password, salt, keyBytes, { ...options, N: 16 });

// Threads do not get the flags of their process.
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(entry, options) {
    super(entry, options?.name === "passwords" ? { ...options, execArgv: ["--import", import.meta.url] } : options);
  }
};
syncBuiltinESMExports();
