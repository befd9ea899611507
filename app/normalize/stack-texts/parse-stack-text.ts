import { parseDotNet } from "./dotnet.ts";
import { parseGo } from "./go.ts";
import { parseJava } from "./java.ts";
import { parseJavaScript } from "./javascript.ts";
import type { ParseStack, TextException } from "./parsed-stack.ts";
import { parsePhp } from "./php.ts";
import { parsePython } from "./python.ts";
import { parseRuby } from "./ruby.ts";
import { parseRust } from "./rust.ts";

/** Our own limit. Patterns match a single line, so the length of a line bounds their work. */
const MAX_LINES = 2_000;
const MAX_LINE = 1_000;
const MAX_TEXT = 512 * 1024;
const MAX_EXCEPTIONS = 20;

/** Parsers by `telemetry.sdk.language`, with the platform name of Sentry's SDKs. */
const LANGUAGES: ReadonlyMap<string, { platform: string; parse: ParseStack }> = new Map([
  ["nodejs", { platform: "node", parse: parseJavaScript }],
  ["webjs", { platform: "javascript", parse: parseJavaScript }],
  ["python", { platform: "python", parse: parsePython }],
  ["java", { platform: "java", parse: parseJava }],
  ["go", { platform: "go", parse: parseGo }],
  ["dotnet", { platform: "csharp", parse: parseDotNet }],
  ["ruby", { platform: "ruby", parse: parseRuby }],
  ["php", { platform: "php", parse: parsePhp }],
  ["rust", { platform: "rust", parse: parseRust }],
]);

export interface StackText {
  platform: string;
  /** The exception itself, then its causes; empty when no frame was understood. */
  exceptions: TextException[];
}

/** Parses the text of a stack. If the language is unknown, the parser that finds the most frames wins. */
export function parseStackText(text: string, language: string | null): StackText {
  const lines = text
    .slice(0, MAX_TEXT)
    .split(/\r?\n/, MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE));
  const known = language === null ? undefined : LANGUAGES.get(language);
  if (known !== undefined) return read(known, lines);
  let best: StackText = { platform: "other", exceptions: [] };
  for (const each of LANGUAGES.values()) {
    const found = read(each, lines);
    if (countFrames(found) > countFrames(best)) best = found;
  }
  return best;
}

function read({ platform, parse }: { platform: string; parse: ParseStack }, lines: readonly string[]): StackText {
  const exceptions = parse(lines).slice(0, MAX_EXCEPTIONS);
  return { platform, exceptions: exceptions.some(({ frames }) => frames.length > 0) ? exceptions : [] };
}

function countFrames({ exceptions }: StackText): number {
  return exceptions.reduce((sum, { frames }) => sum + frames.length, 0);
}
