import type { ParseStack, TextFrame } from "./parsed-stack.ts";

const CALL = /^\s*\d+: (?:0x[0-9a-f]+ - )?(.+?)(?:::h[0-9a-f]{16})?$/;
const PLACE = /^\s+at (.+?):(\d+)(?::(\d+))?$/;

/** `std::backtrace`: `0: crate::call`, with its place on the next line if known. */
export const parseRust: ParseStack = (lines) => {
  const frames: TextFrame[] = [];
  for (const line of lines) {
    const [, path, lineno, colno] = PLACE.exec(line) ?? [];
    const last = frames.at(-1);
    if (path !== undefined && last !== undefined) {
      Object.assign(last, { filename: path, abs_path: path, lineno: Number(lineno) });
      if (colno !== undefined) last.colno = Number(colno);
      continue;
    }
    const [, call] = CALL.exec(line) ?? [];
    if (call !== undefined) frames.push({ function: call });
  }
  return [{ type: null, value: null, frames: frames.reverse() }];
};
