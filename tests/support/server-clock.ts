import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PRELOAD = new URL("./preload-clock.mjs", import.meta.url).href;

/** A clock for servers that a test may set. */
export interface ServerClock {
  /** For a server whose clock it is. */
  env: { NODE_OPTIONS: string; TEST_CLOCK_FILE: string };
  /** How far it is ahead of the real one, for servers that run, too; it begins with 0. */
  setAhead(milliseconds: number): void;
  /**
   * Moves it on, further each time. Asked once a second, with ten seconds, time passes ten times as fast, and no job sees a jump: what watches monitors
   * takes one of more than a minute for a clock that was set.
   */
  pass(milliseconds: number): void;
}

/** @param folder where the file is that says how far it is ahead */
export function makeServerClock(folder: string): ServerClock {
  const path = join(folder, "clock");
  let ahead = 0;
  const setAhead = (milliseconds: number) => {
    ahead = milliseconds;
    // A server that read the file between its emptying and its writing would see its clock set back.
    writeFileSync(`${path}.next`, String(milliseconds));
    renameSync(`${path}.next`, path);
  };
  const pass = (milliseconds: number) => setAhead(ahead + milliseconds);
  setAhead(0);
  return { env: { NODE_OPTIONS: `--import ${PRELOAD}`, TEST_CLOCK_FILE: path }, setAhead, pass };
}
