import { type ParseStack, readHeading, type TextException, type TextFrame } from "./parsed-stack.ts";

const FRAME = /^\s*File "(.+)", line (\d+)(?:, in (.+))?$/;
const MARKS = /^\s*[~^]+\s*$/;
const LED_TO = /^(?:The above exception was the direct cause of|During handling of the above exception)/;

/** `Traceback (most recent call last)`. Causes stand above the exception that they led to. */
export const parsePython: ParseStack = (lines) => {
  const exceptions: TextException[] = [];
  let frames: TextFrame[] = [];
  /** Of an exception that was never thrown, and so has no frames: what stands alone above what it led to. */
  let alone: string | null = null;
  let known = 0;
  for (const line of lines) {
    if (LED_TO.test(line)) {
      if (alone !== null && exceptions.length === known) exceptions.push({ ...readHeading(alone), frames: [] });
      alone = null;
      known = exceptions.length;
      continue;
    }
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
    } else if (line !== "" && !line.startsWith("Traceback ")) {
      alone ??= line;
    }
  }
  if (frames.length > 0) exceptions.push({ type: null, value: null, frames });
  return exceptions.reverse();
};
