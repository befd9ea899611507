// Runs in a process of its own (see load-generator.ts), so that the sender does not share a loop with anything else.
import type { FromLoadProcess, ToLoadProcess } from "./load-generator.ts";
import { prepareRequests, type RequestPool } from "./prepare-requests.ts";
import { prepareSpanRequests } from "./prepare-span-requests.ts";
import { type Sending, sendRequests } from "./send-requests.ts";

let pool: RequestPool | undefined;
let sending: Sending | undefined;

process.on("message", (message: ToLoadProcess) => {
  if (message.kind === "prepare") {
    pool = prepareRequests(message.options);
    tell({ kind: "prepared", count: pool.count });
  } else if (message.kind === "prepare-spans") {
    pool = prepareSpanRequests(message.options);
    tell({ kind: "prepared", count: pool.count });
  } else if (message.kind === "send") {
    if (!pool) throw new Error("nothing was prepared");
    sending = sendRequests(pool, message.options, (eventId, acceptedAt) =>
      tell({ kind: "sample", eventId, acceptedAt }),
    );
    sending.done.then((result) => tell({ kind: "sent", result }));
  } else {
    sending?.stop();
  }
});
// Whoever measures has gone: no load without a listener.
process.on("disconnect", () => process.exit(0));

function tell(message: FromLoadProcess): void {
  process.send?.(message);
}
