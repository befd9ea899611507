import { parseJava } from "./java.ts";
import { type ParseStack, readHeading, type TextException } from "./parsed-stack.ts";

const FRAME = /^#\d+ (?:(.+)\((\d+)\)|(\[internal function\])): (.+?)(?:\(.*\))?$/;
const NEXT = /^Next (.+?)(?: in (\S+):(\d+))?$/;

/** PHP's own `#0 file(12): Class->method()`, or the form of OpenTelemetry's exporter, which is Java's. */
export const parsePhp: ParseStack = (lines) => {
  if (!lines.some((line) => line.startsWith("#0 "))) return parseJava(lines);
  // The cause comes first, and the exceptions that it caused follow as "Next".
  const exceptions: TextException[] = [{ type: null, value: null, frames: [] }];
  for (const line of lines) {
    const next = NEXT.exec(line);
    if (next !== null) {
      exceptions.push({ ...readHeading(next[1] ?? ""), frames: [] });
      continue;
    }
    const [, path, lineno, , call] = FRAME.exec(line) ?? [];
    if (call === undefined) continue;
    exceptions.at(-1)?.frames.push({
      function: call,
      ...(path === undefined ? {} : { filename: path, abs_path: path, lineno: Number(lineno) }),
    });
  }
  for (const { frames } of exceptions) frames.reverse();
  return exceptions.reverse();
};
