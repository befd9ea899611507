import { createContext, type RouterContextProvider } from "react-router";
import { BUSY_MESSAGE } from "./credential-limits.ts";
import { delayRefusal } from "./refusal-delay.server.ts";
import { toWaitMessage } from "./wait-message.ts";

/** Why somebody has to wait, and the form that they sent. Set if the answer is not the usual page. Null: it is the usual page. */
export const waitContext = createContext<{ message: string; typed: FormData | null } | null>(null);

/**
 * The answer to a stranger who has to wait: the sentence, and status and headers. It takes as long as other refusals. Without
 * script, the answer is a page of its own (`answerWithWaitPage`), whatever the route would render.
 */
export async function answerBusy(
  context: Pick<RouterContextProvider, "set">,
  { reason, retryAfterSeconds }: { reason: "too-many-attempts" | "busy"; retryAfterSeconds: number },
  { signal, typed = null }: { signal: AbortSignal; typed?: FormData | null },
) {
  await delayRefusal(signal);
  const message = reason === "busy" ? BUSY_MESSAGE : toWaitMessage(retryAfterSeconds);
  context.set(waitContext, { message, typed });
  return { message, init: { status: 429, headers: { "retry-after": String(retryAfterSeconds) } } };
}
