import type { SentryException } from "../../domain/event.ts";
import type { PlatformFamily } from "../v1/platform-family.ts";

/**
 * JavaScript can throw a text or an object, which has no stack. The SDK gives it that of the place at which it was caught: in a server's
 * framework, where all of them are.
 */
export function hasMadeUpPlace({ mechanism }: SentryException, isInApp: boolean, family: PlatformFamily): boolean {
  return mechanism?.synthetic === true && !isInApp && family === "javascript";
}
