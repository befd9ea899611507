import { toOneLine } from "../../domain/one-line.ts";
import { toLenientString } from "../../normalize/lenient-string.ts";

const MAX_LENGTH = 200;
/** A longer text behind the last dot is no file extension. */
const MAX_EXTENSION_LENGTH = 20;

/**
 * A file's name for lists and downloads, without characters like the one that shows `\u202egnp.exe` as `exe.png`. The payload keeps the
 * name as it was sent. Null: the file has no name.
 */
export function toFileName(sent: unknown): string | null {
  const name = toOneLine(toLenientString(sent) ?? "").toWellFormed();
  if (name.length <= MAX_LENGTH) return name || null;
  const extension = /\.[^./\\]+$/.exec(name)?.[0] ?? "";
  const end = extension.length <= MAX_EXTENSION_LENGTH ? `…${extension}` : "…";
  return `${name.slice(0, MAX_LENGTH - end.length)}${end}`.toWellFormed();
}
