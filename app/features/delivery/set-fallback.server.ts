import type { Workspace } from "../../access/workspace.ts";
import { hasRight } from "../../domain/scope.ts";
import type { DeliveryResult } from "./delivery-result.ts";

/** Sets the channel that gets the messages which others cannot get. An empty field means none. */
export async function setFallback({ state, scope }: Workspace, form: FormData): Promise<DeliveryResult> {
  if (!hasRight(scope, "org:write"))
    return {
      ok: false,
      status: 403,
      field: "fallback",
      message: "Only owners and managers choose the fallback channel.",
    };
  const typed = String(form.get("fallback") ?? "");
  const channelId = typed === "" ? null : Number(typed) || 0;
  if (!(await state.undelivered.setFallback(scope, channelId)))
    return {
      ok: false,
      status: 404,
      field: "fallback",
      message: "There is no such channel, or it does not serve all projects.",
    };
  return {
    ok: true,
    message: channelId === null ? "There is no fallback channel any more." : "Fallback channel saved.",
  };
}
