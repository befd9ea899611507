import type { Workspace } from "../../access/workspace.ts";
import type { AlertResult } from "./alert-result.ts";

/** Sets whether the reader gets the report on rules that fire often by mail. */
export async function chooseNoiseMail(
  { state, user }: Workspace,
  { isWanted, now }: { isWanted: boolean; now: number },
): Promise<AlertResult> {
  if (user === null) return { ok: false, status: 403, field: "list", message: "Only a person gets mail." };
  await state.alertNoise.setWantsReport(user.id, isWanted, now);
  const message = isWanted
    ? "You get the report by mail, on Mondays at eight."
    : "You get no report by mail any more. It stays on this page.";
  return { ok: true, message, ruleId: 0 };
}
