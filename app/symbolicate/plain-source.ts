import type { Frame } from "../domain/event.ts";

/** Longer lines of a file are a bundler's. The lines around a frame are cut at 140 characters by SDKs. */
const MAX_READABLE_LINE_CHARACTERS = 140;
const SOURCE_FILE = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro|coffee)(?:\?.*)?$/i;

/** Whether a frame, as it was sent, shows the code that people wrote, without a map. */
export function isPlainSource(frame: Frame, path: string): boolean {
  if (SOURCE_FILE.test(path)) return true;
  const { context_line: line, colno } = frame;
  // Files on disk are seldom minified, and their lines are short then.
  if (line === undefined) return !/^[a-z][a-z0-9+.-]+:/i.test(path) && (colno ?? 0) <= MAX_READABLE_LINE_CHARACTERS;
  return line.length <= MAX_READABLE_LINE_CHARACTERS && !line.includes("{snip}") && (colno ?? 0) <= line.length + 1;
}
