import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "./runner.ts";

export const systemClock: Clock = {
  now: Date.now,
  // The timer does not keep the process alive: a server ends when its sockets are closed.
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal, ref: false }),
};
