// Loaded before a server (`node --import`): its clock is off by the milliseconds that stand in the file TEST_CLOCK_FILE names. What counts
// time passing (`performance.now`, timers) goes on as it was, as when somebody sets the clock of a machine.
import { readFileSync } from "node:fs";

const RealDate = Date;
const path = process.env.TEST_CLOCK_FILE ?? "";
const now = () => RealDate.now() + Number(readFileSync(path, "utf8"));

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }

  static now() {
    return now();
  }
};
