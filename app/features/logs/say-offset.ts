import { formatDuration } from "../../ui/format-duration.ts";

/** How long before or after the open line another one is: `−6.02 s`, `+2 h 5 min`. `us`: microseconds. */
export function sayOffset(us: number): string {
  return us === 0 ? "0" : `${us < 0 ? "−" : "+"}${formatDuration(Math.abs(us))}`;
}
