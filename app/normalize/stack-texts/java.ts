import { type ParseStack, readHeading, type TextException, type TextFrame } from "./parsed-stack.ts";

const FRAME = /^\s*at (?:[\w.@-]*\/)*([^\s()/]+)\(([^()]*)\)(?: ~?\[[^\]]*\])?\s*$/;
const OMITTED = /^\s*\.\.\. (\d+) (?:more|common)/;
const CAUSE = /^Caused by: (.*)$/;

/** `at package.Class.method(File.java:12)` with `Caused by:`. PHP's exporter writes the same. */
export const parseJava: ParseStack = (lines) => {
  const exceptions: Array<TextException & { frames: TextFrame[] }> = [{ type: null, value: null, frames: [] }];
  let isSuppressed = false;
  for (const line of lines) {
    const cause = CAUSE.exec(line);
    const current = exceptions.at(-1);
    if (cause !== null) {
      exceptions.push({ ...readHeading(cause[1] ?? ""), frames: [] });
      isSuppressed = false;
      continue;
    }
    // Suppressed exceptions are indented, and so are their frames.
    if (/^\s+Suppressed: /.test(line)) isSuppressed = true;
    if (current === undefined || isSuppressed) continue;
    const omitted = OMITTED.exec(line);
    if (omitted !== null) {
      const above = exceptions.at(-2)?.frames ?? [];
      const count = Number(omitted[1]);
      if (count > 0) current.frames.push(...above.slice(-count));
      continue;
    }
    const frame = FRAME.exec(line);
    if (frame !== null) current.frames.push(toFrame(frame[1] ?? "", frame[2] ?? ""));
  }
  for (const { frames } of exceptions) frames.reverse();
  return exceptions;
};

function toFrame(call: string, place: string): TextFrame {
  const dot = call.lastIndexOf(".");
  const [, file = place, lineno] = /^(.+):(\d+)$/.exec(place) ?? [];
  const isKnown = file !== "" && file !== "Unknown Source" && file !== "Native Method";
  return {
    function: call.slice(dot + 1),
    ...(dot > 0 ? { module: call.slice(0, dot) } : {}),
    ...(isKnown ? { filename: file } : {}),
    ...(lineno === undefined ? {} : { lineno: Number(lineno) }),
  };
}
