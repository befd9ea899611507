import type { Frame, Stacktrace } from "../../domain/event.ts";
import { platformFamily } from "../v1/platform-family.ts";
import { leftOutReason, machineryStart } from "./left-out-frames.ts";

/**
 * The frame that names the place: the innermost that counts and is in the app, else the innermost that counts, else the
 * innermost in the app, else the innermost.
 */
export function crashFrameOf({ frames }: Stacktrace, platform: string): Frame | null {
  const end = machineryStart(frames, platformFamily(platform));
  let lastCounted: Frame | null = null;
  for (let i = end - 1; i >= 0; i--) {
    const frame = frames[i];
    if (frame === undefined) continue;
    const own = frame.platform ?? platform;
    if (frame.in_app !== true && lastCounted !== null) continue;
    if (leftOutReason(frame, platformFamily(own), own === "javascript") !== null) continue;
    if (frame.in_app === true) return frame;
    lastCounted ??= frame;
  }
  return lastCounted ?? frames.findLast(({ in_app }) => in_app === true) ?? frames.at(-1) ?? null;
}
