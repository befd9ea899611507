/** A frame as SDKs send it. */
export interface TextFrame {
  function?: string;
  module?: string;
  filename?: string;
  abs_path?: string;
  lineno?: number;
  colno?: number;
  context_line?: string;
}

/** An exception in a text, or one of its causes. */
export interface TextException {
  /** Null if the text does not contain it. */
  type: string | null;
  value: string | null;
  /** Outermost call first. */
  frames: TextFrame[];
  /** Members follow their group. */
  role?: "group" | "member";
}

/** Reads the lines of a stack: the exception itself, then its members and causes. No exception has frames where nothing was understood. */
export type ParseStack = (lines: readonly string[]) => TextException[];

/** `Type: message`. */
export function readHeading(text: string): Pick<TextException, "type" | "value"> {
  const match = /^([\w$.\\:]*[\w$])(?:: (.*))?$/.exec(text.trim());
  return match === null ? { type: null, value: text.trim() } : { type: match[1] ?? null, value: match[2] ?? null };
}
