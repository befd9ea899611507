import { type ParseStack, readHeading, type TextException, type TextFrame } from "./parsed-stack.ts";

const FRAME = /^\s*File "(.+)", line (\d+)(?:, in (.+))?$/;
const MARKS = /^\s*[~^]+\s*$/;
const LED_TO = /^(?:The above exception was the direct cause of|During handling of the above exception)/;
const GROUP = /^ *\+ Exception Group Traceback /;
/** The margin of an exception group: the signs before each of its lines, and the line above each member and below the last. */
const MARGIN = /^ *[|+] ?/;
const MEMBER = /^ *(?:\+-)?\+-{4,}/;

/**
 * `Traceback (most recent call last)`. Causes stand above the exception that they led to, and members of an exception group below it,
 * with lines drawn in the margin.
 */
export const parsePython: ParseStack = (lines) => {
  /** An exception, or a group and its members. The first led to the second. */
  const chain: TextException[][] = [[]];
  let current = chain[0] as TextException[];
  let frames: TextFrame[] = [];
  let isInGroup = false;
  /** The line of an exception that was never thrown, and so has no frames. */
  let alone: string | null = null;
  let known = 0;
  const add = (exception: TextException) =>
    current.push({ ...exception, ...(isInGroup && { role: current.length === 0 ? "group" : "member" }) });
  const endOne = () => {
    if (alone !== null && current.length === known) add({ ...readHeading(alone), frames: [] });
    alone = null;
    known = current.length;
  };
  for (const whole of lines) {
    if (GROUP.test(whole)) isInGroup = true;
    else if (isInGroup && !MARGIN.test(whole)) isInGroup = false;
    if (isInGroup && MEMBER.test(whole)) {
      endOne();
      continue;
    }
    const line = isInGroup ? whole.replace(MARGIN, "") : whole;
    if (LED_TO.test(line)) {
      endOne();
      if (!isInGroup) {
        chain.push([]);
        current = chain.at(-1) as TextException[];
        known = 0;
      }
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
      add({ ...readHeading(line), frames });
      frames = [];
    } else if (line !== "" && !/^(?:Exception Group )?Traceback /.test(line)) {
      alone ??= line;
    }
  }
  if (frames.length > 0) add({ type: null, value: null, frames });
  return chain.reverse().flat();
};
