import type { Workspace } from "../../access/workspace.ts";
import { endOfChoice, SILENCE_CHOICES } from "../../domain/alerts/silence.ts";
import { readIntent } from "../input/read-intent.ts";
import { endSilence, restoreSilence, silenceAlerts, type TypedSilence } from "./change-silence.server.ts";
import { refuseSilence, type SilenceResult } from "./silence-result.ts";

/** Handles the forms about silences: make one, end it, and undo that. */
export async function changeSilences(
  workspace: Workspace,
  { form, now }: { form: FormData; now: number },
): Promise<SilenceResult> {
  const pressed = readIntent(form, ["silence", "end", "restore"]);
  if (!pressed.ok) return refuseSilence(400, "list", pressed.message);
  if (pressed.intent === "silence") return await silenceAlerts(workspace, readSilenceForm(form, now), now);
  const silenceId = toNumber(form.get("silence")) ?? 0;
  if (pressed.intent === "end") return await endSilence(workspace, silenceId, now);
  return await restoreSilence(workspace, { silenceId, endsAt: Date.parse(String(form.get("until"))), now });
}

/** `for`: a duration chosen by one press. Otherwise `until` is an instant, or without script `untilLocal` is one in UTC. */
function readSilenceForm(form: FormData, now: number): TypedSilence {
  const textOf = (name: string) => String(form.get(name) ?? "").trim();
  const choice = SILENCE_CHOICES.find(({ name }) => name === textOf("for"));
  const local = textOf("untilLocal");
  return {
    ruleId: toNumber(form.get("rule")),
    projectId: toNumber(form.get("project")),
    environment: textOf("environment"),
    reason: textOf("reason"),
    endsAt: choice ? endOfChoice(choice.name, now) : Date.parse(textOf("until") || (local && `${local}Z`)),
  };
}

/** Null: the value is empty. 0: it is no number. */
function toNumber(value: FormDataEntryValue | null): number | null {
  const text = String(value ?? "").trim();
  if (text === "") return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
