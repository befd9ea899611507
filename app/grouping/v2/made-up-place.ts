import type { SentryException } from "../../domain/event.ts";
import type { PlatformFamily } from "../v1/platform-family.ts";

/**
 * JavaScript can throw a text or an object, which has no stack. The SDK gives it the stack of the place where it was caught: in a server's
 * framework, that is the same place for all of them.
 */
export function hasMadeUpPlace({ mechanism }: SentryException, isInApp: boolean, family: PlatformFamily): boolean {
  return mechanism?.synthetic === true && !isInApp && family === "javascript";
}
