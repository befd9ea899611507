import type { ParseStack, TextFrame } from "./parsed-stack.ts";

const V8 = /^\s*at (?:(.+?) \()?([^()\s][^()]*?):(\d+):(\d+)\)?$/;
/** Firefox and Safari. */
const GECKO = /^([^@]*)@(.+?):(\d+):(\d+)$/;

/** V8's `at call (file:line:column)` and Firefox's `call@file:line:column`. */
export const parseJavaScript: ParseStack = (lines) => {
  const frames: TextFrame[] = [];
  for (const line of lines) {
    const [, name, path, lineno, colno] = V8.exec(line) ?? GECKO.exec(line) ?? [];
    if (path === undefined) continue;
    const place = path.replace(/^async /, "");
    const call = name?.replace(/^async /, "");
    frames.push({
      ...(call ? { function: call } : {}),
      filename: place,
      abs_path: place,
      lineno: Number(lineno),
      colno: Number(colno),
    });
  }
  return [{ type: null, value: null, frames: frames.reverse() }];
};
