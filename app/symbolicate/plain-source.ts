import type { Frame } from "../domain/event.ts";

/** Longer lines are those of bundled code. SDKs cut the lines around a frame at 140 characters. */
const MAX_READABLE_LINE_CHARACTERS = 140;
const SOURCE_FILE = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro|coffee)(?:\?.*)?$/i;
/** Vite's development server serves these paths: bundled, never minified. */
const VITE_DEV_FILE = /(?:^|\/)(?:node_modules\/\.vite\/|@vite\/|@react-refresh|@id\/|@fs\/)/;
/** This many code lines around a long one show that a person wrote the file. A minified file has a banner and a comment at most. */
const MIN_READABLE_NEIGHBOURS = 3;

/** Whether a frame, as it was sent, shows the code that people wrote, without a map. */
export function isPlainSource(frame: Frame, path: string): boolean {
  if (SOURCE_FILE.test(path) || VITE_DEV_FILE.test(path)) return true;
  const { context_line: line, colno } = frame;
  // Files on disk are seldom minified, and their lines are short then.
  if (line === undefined) return !/^[a-z][a-z0-9+.-]+:/i.test(path) && (colno ?? 0) <= MAX_READABLE_LINE_CHARACTERS;
  return (isShort(line) && (colno ?? 0) <= line.length + 1) || hasReadableNeighbours(frame);
}

function isShort(line: string): boolean {
  return line.length <= MAX_READABLE_LINE_CHARACTERS && !line.includes("{snip}");
}

/** Whether nearly all code around the line is in lines of a length that people write. */
function hasReadableNeighbours({ pre_context: before = [], post_context: after = [] }: Frame): boolean {
  const code = [...before, ...after].filter((line) => line.trim() !== "" && !/^\s*(?:\/\/|\/?\*)/.test(line));
  const short = code.filter(isShort).length;
  return short >= MIN_READABLE_NEIGHBOURS && short >= code.length * 0.75;
}
