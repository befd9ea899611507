import type { ParseStack, TextException, TextFrame } from "./parsed-stack.ts";

const FRAME = /^(?:\s*from )?(\S.*?):(\d+):in [`'](.*?)'(?:: (.*) \(([\w:]+)\))?$/;

/** `full_message` and `backtrace`: innermost first. A line with a message and a class begins an exception; later ones are causes. */
export const parseRuby: ParseStack = (lines) => {
  const exceptions: TextException[] = [];
  for (const line of lines) {
    const [, path, lineno, name, value, type] = FRAME.exec(line) ?? [];
    if (path === undefined) continue;
    if (type !== undefined || exceptions.length === 0)
      exceptions.push({ type: type ?? null, value: value ?? null, frames: [] });
    const frame: TextFrame = {
      filename: path,
      abs_path: path,
      lineno: Number(lineno),
      ...(name ? { function: name } : {}),
    };
    exceptions.at(-1)?.frames.push(frame);
  }
  for (const { frames } of exceptions) frames.reverse();
  return exceptions;
};
