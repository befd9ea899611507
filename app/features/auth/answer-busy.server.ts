import { BUSY_MESSAGE } from "./credential-limits.ts";
import { delayRefusal } from "./refusal-delay.server.ts";
import { toWaitMessage } from "./wait-message.ts";

/** What a form with a new password is answered when it has to wait: the sentence, and how the answer says it. Takes as long as other refusals. */
export async function answerBusy(
  { reason, retryAfterSeconds }: { reason: "too-many-attempts" | "busy"; retryAfterSeconds: number },
  signal: AbortSignal,
) {
  await delayRefusal(signal);
  return {
    message: reason === "busy" ? BUSY_MESSAGE : toWaitMessage(retryAfterSeconds),
    init: { status: 429, headers: { "retry-after": String(retryAfterSeconds) } },
  };
}
