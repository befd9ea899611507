/** The result of a form about silences. */
export type SilenceResult =
  | {
      ok: true;
      message: string;
      silenceId: number;
      /** The fields of the form that undoes it. Null: it cannot be undone. */
      undo: Readonly<Record<string, string>> | null;
    }
  | { ok: false; status: 400 | 403 | 404 | 409; field: SilenceField; message: string };

export type SilenceField = "covers" | "rule" | "project" | "environment" | "until" | "reason" | "list";

export function refuseSilence(
  status: 400 | 403 | 404 | 409,
  field: SilenceField,
  message: string,
): Extract<SilenceResult, { ok: false }> {
  return { ok: false, status, field, message };
}

export const SILENCE_GONE = refuseSilence(404, "list", "This silence does not exist any more.");
