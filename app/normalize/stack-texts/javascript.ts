import { type ParseStack, readHeading, type TextException } from "./parsed-stack.ts";

/** Node writes a brace behind the last frame where properties of the error follow. */
const V8 = /^\s*at (?:(.+?) \()?([^()\s][^()]*?):(\d+):(\d+)\)?(?: \{)?$/;
/** Firefox and Safari. */
const GECKO = /^([^@]*)@(.+?):(\d+):(\d+)$/;

/** The line before a cause, as Node prints it, and as loggers join the stacks of causes. */
const CAUSE = /^\s*(?:\[cause\]|caused by): (.+?)(?: \{)?$/i;

/** V8's `at call (file:line:column)` and Firefox's `call@file:line:column`. */
export const parseJavaScript: ParseStack = (lines) => {
  const exceptions: TextException[] = [{ type: null, value: null, frames: [] }];
  for (const line of lines) {
    const [, cause] = CAUSE.exec(line) ?? [];
    if (cause !== undefined) {
      exceptions.push({ ...readHeading(cause), frames: [] });
      continue;
    }
    const [, name, path, lineno, colno] = V8.exec(line) ?? GECKO.exec(line) ?? [];
    if (path === undefined) continue;
    const place = path.replace(/^async /, "");
    const call = name?.replace(/^async /, "");
    exceptions.at(-1)?.frames.push({
      ...(call ? { function: call } : {}),
      filename: place,
      abs_path: place,
      lineno: Number(lineno),
      colno: Number(colno),
    });
  }
  for (const { frames } of exceptions) frames.reverse();
  return exceptions;
};
