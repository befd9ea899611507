import { type ParseStack, readHeading, type TextException, type TextFrame } from "./parsed-stack.ts";

const FRAME = /^\s*at ([^\s(]+)(?:\[[^\]]*\])?\(.*?\)(?: in (.+):line (\d+))?\s*$/;
const END_OF_INNER = /^\s*--- End of inner exception stack trace ---/;

/** `Exception.ToString()`. The heading names all, the outermost first; the frames begin with the innermost. */
export const parseDotNet: ParseStack = (lines) => {
  const first = lines.findIndex((line) => FRAME.test(line));
  if (first < 0) return [];
  const headings = lines
    .slice(0, first)
    .join("\n")
    .split(/\s*---> /);
  const stacks: TextFrame[][] = [[]];
  for (const line of lines.slice(first)) {
    if (END_OF_INNER.test(line)) {
      stacks.push([]);
      continue;
    }
    const [, call, path, lineno] = FRAME.exec(line) ?? [];
    if (call === undefined) continue;
    const dot = call.lastIndexOf(".");
    stacks.at(-1)?.push({
      function: call.slice(dot + 1),
      ...(dot > 0 ? { module: call.slice(0, dot).replace(/\.$/, "") } : {}),
      ...(path === undefined ? {} : { filename: path, abs_path: path, lineno: Number(lineno) }),
    });
  }
  const innermostFirst = stacks.map((frames, index): TextException => {
    const heading = headings[stacks.length - 1 - index];
    return { ...readHeading(heading?.split("\n")[0] ?? ""), frames: frames.reverse() };
  });
  return innermostFirst.reverse();
};
