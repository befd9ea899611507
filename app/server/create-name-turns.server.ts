import { createConcurrencyLimit } from "../domain/concurrency-limit.ts";
import { OutboundProblem, type ResolveName, resolveName } from "../outbound/request-public.server.ts";

/** The system looks up four names at a time, those of alerts and uptime monitors included. */
const AT_ONCE = 2;
const MAX_WAITING = 100;

/**
 * Looks up names that strangers choose. A name whose server does not answer keeps its turn until the system gives up, even if nobody waits
 * for it any more. So it never holds up all other lookups.
 */
export function createNameTurns(resolve: (hostname: string) => ReturnType<ResolveName> = resolveName): ResolveName {
  const turns = createConcurrencyLimit({ atOnce: AT_ONCE, maxWaiting: MAX_WAITING });
  return async (hostname, signal) => {
    const leave = await turns.enter(signal);
    if (leave === null) throw new OutboundProblem("failed", "other names take too long to be looked up");
    try {
      return await resolve(hostname);
    } finally {
      leave();
    }
  };
}
