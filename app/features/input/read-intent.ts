import { z } from "zod";
import { readForm } from "./read-form.ts";

export type ReadIntent<Intent> =
  | { ok: true; intent: Intent }
  | { ok: false; status: 400; field: "intent"; message: string };

/** Which of a form's buttons was pressed. A form without one of these intents is refused. */
export function readIntent<const Intent extends string>(
  form: FormData,
  intents: readonly Intent[],
): ReadIntent<Intent> {
  const read = readForm(z.object({ intent: z.enum(intents) }), form);
  if (read.ok) return { ok: true, intent: read.fields.intent };
  return { ok: false, status: 400, field: "intent", message: `intent: ${read.message}` };
}
