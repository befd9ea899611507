import { type ParseStack, readHeading, type TextException, type TextFrame } from "./parsed-stack.ts";

const FRAME = /^\s*File "(.+)", line (\d+)(?:, in (.+))?$/;
const MARKS = /^\s*[~^]+\s*$/;

/** `Traceback (most recent call last)`. Causes stand above the exception that they led to. */
export const parsePython: ParseStack = (lines) => {
  const exceptions: TextException[] = [];
  let frames: TextFrame[] = [];
  for (const line of lines) {
    const [, path, lineno, name] = FRAME.exec(line) ?? [];
    if (path !== undefined) {
      frames.push({ filename: path, abs_path: path, lineno: Number(lineno), ...(name ? { function: name } : {}) });
      continue;
    }
    const last = frames.at(-1);
    if (/^\s/.test(line)) {
      if (last !== undefined && last.context_line === undefined && !MARKS.test(line)) last.context_line = line.trim();
    } else if (last !== undefined && line !== "") {
      exceptions.push({ ...readHeading(line), frames });
      frames = [];
    }
  }
  if (frames.length > 0) exceptions.push({ type: null, value: null, frames });
  return exceptions.reverse();
};
