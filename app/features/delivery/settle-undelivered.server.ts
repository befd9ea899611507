import type { Workspace } from "../../access/workspace.ts";
import { hasRight } from "../../domain/scope.ts";
import { MAX_UNDELIVERED } from "../../stores/state/undelivered-store.ts";
import type { DeliveryResult } from "./delivery-result.ts";

const GONE = { ok: false, status: 404, field: "letter", message: "This message does not exist any more." } as const;

export const SETTLING = ["retry", "retry-all", "drop", "drop-all", "restore"] as const;
export type Settling = (typeof SETTLING)[number];

/** Mails to persons tell what others did, so only people who manage the organization see them. */
export function seesPeople({ scope }: Pick<Workspace, "scope">): boolean {
  return hasRight(scope, "org:write");
}

/** Sends messages again, drops them, or restores what was dropped. `letter`: the ids of the messages; the `-all` intents need none. */
export async function settleUndelivered(
  workspace: Workspace,
  { intent, form, now }: { intent: Settling; form: FormData; now: number },
): Promise<DeliveryResult> {
  const { state, scope } = workspace;
  const withPeople = seesPeople(workspace);
  const ids = form.getAll("letter").map(Number);
  if (!intent.endsWith("-all")) {
    if (ids.length === 0) return { ok: false, status: 400, field: "letter", message: "letter: name a message." };
    // An undo names all messages that were dropped, which may be more than a page lists.
    if (ids.length > MAX_UNDELIVERED * 100)
      return { ok: false, status: 400, field: "letter", message: `letter: at most ${MAX_UNDELIVERED * 100} at once.` };
  }
  const filter = { withPeople, ...(intent.endsWith("-all") ? {} : { ids }) };
  switch (intent) {
    case "retry":
    case "retry-all": {
      const count = await state.undelivered.retry(scope, { ...filter, now });
      if (count === 0 && intent === "retry") return GONE;
      return { ok: true, message: `${sayMessages(count)} sent again within a minute.` };
    }
    case "drop":
    case "drop-all": {
      const dropped = await state.undelivered.drop(scope, { ...filter, now });
      if (dropped.length === 0 && intent === "drop") return GONE;
      return { ok: true, message: `${sayMessages(dropped.length)} dropped.`, dropped };
    }
    case "restore": {
      const count = await state.undelivered.restore(scope, filter);
      return count === 0 ? GONE : { ok: true, message: `${sayMessages(count)} back in the list.` };
    }
  }
}

function sayMessages(count: number): string {
  return count === 1 ? "One message is" : `${count.toLocaleString("en")} messages are`;
}
