import type { ParseStack, TextFrame } from "./parsed-stack.ts";

const CALL = /^(?:created by )?([^\s(].*?)(?:\([^()]*\))?(?: in goroutine \d+)?$/;
const PLACE = /^\s+(.+):(\d+)(?: \+0x[0-9a-f]+)?$/;

/** `runtime/debug.Stack`: a line with the call, and one with its place. Of several goroutines, the first counts. */
export const parseGo: ParseStack = (lines) => {
  const frames: TextFrame[] = [];
  for (const [index, line] of lines.entries()) {
    if (/^goroutine \d+/.test(line) && frames.length > 0) break;
    const [, path, lineno] = PLACE.exec(line) ?? [];
    if (path === undefined) continue;
    const [, call = ""] = CALL.exec(lines[index - 1] ?? "") ?? [];
    const dot = call.indexOf(".", call.lastIndexOf("/") + 1);
    frames.push({
      function: call.slice(dot + 1),
      ...(dot > 0 ? { module: call.slice(0, dot) } : {}),
      filename: path,
      abs_path: path,
      lineno: Number(lineno),
    });
  }
  return [{ type: null, value: null, frames: withoutRecorder(frames).reverse() }];
};

/** The frames without the function that took the stack, which is on top. */
function withoutRecorder(frames: TextFrame[]): TextFrame[] {
  const first = frames.findIndex(
    ({ module = "" }) => module !== "runtime/debug" && !module.startsWith("go.opentelemetry.io/otel"),
  );
  return first < 0 ? frames : frames.slice(first);
}
