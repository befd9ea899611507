import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { SAMPLE_LIMITS, type VolumeSettings } from "../../domain/volume/volume-settings.ts";
import { readForm } from "../input/read-form.ts";
import type { LimitResult } from "./limit-result.ts";

const toNumber = (text: unknown) => (typeof text === "string" ? text.replaceAll(/[\s,_]/g, "") : text);
const ABOVE = `must be a whole number of events from 1 to ${SAMPLE_LIMITS.above.toLocaleString("en")}`;
const ONE_IN = `must be a whole number from 2 to ${SAMPLE_LIMITS.keepOneIn.toLocaleString("en")}`;

const volumeForm = z.object({
  spike: z.literal("on").optional(),
  sample: z.literal("on").optional(),
  above: z.preprocess(toNumber, z.coerce.number(ABOVE).int(ABOVE).min(1, ABOVE).max(SAMPLE_LIMITS.above, ABOVE)),
  keepOneIn: z.preprocess(
    toNumber,
    z.coerce.number(ONE_IN).int(ONE_IN).min(2, ONE_IN).max(SAMPLE_LIMITS.keepOneIn, ONE_IN),
  ),
});

/** Changes which of the project's errors are stored, by the whole form. */
export async function changeVolumeByForm(
  workspace: Workspace,
  projectId: number,
  form: FormData,
): Promise<LimitResult> {
  const read = readForm(volumeForm, form);
  if (!read.ok) return read;
  const { spike, sample, above, keepOneIn } = read.fields;
  return changeVolume(workspace, projectId, {
    isSpikeProtected: spike === "on",
    sampleAbove: sample === "on" ? above : null,
    keepOneIn,
  });
}

/** Changes the settings that are given. The others stay. */
export async function changeVolume(
  { state, scope }: Workspace,
  projectId: number,
  change: Partial<VolumeSettings>,
): Promise<LimitResult> {
  const rules = await state.rules.getRules(scope, projectId);
  if (rules === null)
    return { ok: false, status: 404, field: "intent", message: "This project does not exist any more." };
  await state.rules.saveRules(scope, projectId, "volume", { ...rules.volume, ...change });
  const isOff = change.isSpikeProtected === false && Object.keys(change).length === 1;
  return {
    ok: true,
    message: isOff
      ? "Spike protection is off. Errors are stored from now on."
      : "Saved. It holds for errors that arrive from now on.",
  };
}
