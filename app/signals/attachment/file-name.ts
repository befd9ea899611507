import { toOneLine } from "../../domain/one-line.ts";
import { toLenientString } from "../../normalize/lenient-string.ts";

const MAX_LENGTH = 200;
/** A longer one is no ending that says what a file is. */
const MAX_EXTENSION_LENGTH = 20;

/** A file's name as lists show it and downloads have it: `\u202egnp.exe` would read as `exe.png`. The payload keeps what was sent. Null: it has none. */
export function toFileName(sent: unknown): string | null {
  const name = toOneLine(toLenientString(sent) ?? "").toWellFormed();
  if (name.length <= MAX_LENGTH) return name || null;
  const extension = /\.[^./\\]+$/.exec(name)?.[0] ?? "";
  const end = extension.length <= MAX_EXTENSION_LENGTH ? `…${extension}` : "…";
  return `${name.slice(0, MAX_LENGTH - end.length)}${end}`.toWellFormed();
}
