import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "./runner.ts";

export const systemClock: Clock = {
  now: Date.now,
  // Holds no process: a server ends when its sockets do.
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal, ref: false }),
};
