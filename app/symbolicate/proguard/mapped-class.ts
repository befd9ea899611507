/** A line of a mapping for a method: a body of it, or a method that was inlined there. */
export interface MappedMethod {
  /** The name in the shipped app. */
  shortName: string;
  /** The original method with its parameters, and the short name: equal for all lines of a method. */
  key: string;
  /** The original class. Null: the class of the section. */
  className: string | null;
  name: string;
  /** Lines in the shipped app, both included. Null: all of the method. */
  range: readonly [from: number, to: number] | null;
  /** The first original line. Null: lines were not changed. */
  originalStart: number | null;
  /** Null: all lines of the range come from `originalStart`. */
  originalEnd: number | null;
  /** The compiler made the method, so nobody wrote a call of it. */
  isSynthesized: boolean;
  /** The compiler took repeated code out of several methods, into this one. */
  isOutline: boolean;
  /** At a call of an outline: by the line inside of the outline, the line of the caller that the code was taken from. */
  outlineLines: ReadonlyMap<number, number> | null;
  /** Inner frames that go if this is the newest frame of the exception. */
  rewrites: readonly FrameRewrite[];
}

export interface FrameRewrite {
  /** Exceptions that it is for, with their packages. Empty: it is for all exceptions. */
  exceptions: readonly string[];
  /** How many of the innermost frames go. */
  removedCount: number;
}

/** The section of a class. */
export interface MappedClass {
  originalName: string;
  /** Null: the mapping does not say it. */
  fileName: string | null;
  /** By short name, in the order of the file. */
  methods: ReadonlyMap<string, readonly MappedMethod[]>;
  lineCount: number;
}

const METHOD = /^\s+(?:(\d+):(\d+):)?[^\s(]+ (?:([^\s(]+)\.)?([^\s.(]+)(\([^)\s]*\))(?::(\d+))?(?::(\d+))? -> (\S+)$/;
/** R8 gives this range to code for which it knows no line. */
const NO_LINES = 65_535;
/** Longer names are cut, because anybody who may upload can write them. Characters. */
const MAX_NAME_CHARACTERS = 512;

/** Reads the lines after a class line, up to the next class line. Lines that are none of the format are left out. */
export function readMappedClass(originalName: string, lines: Iterable<string>): MappedClass {
  const methods = new Map<string, MappedMethod[]>();
  let fileName: string | null = null;
  let last: MappedMethod | null = null;
  let lineCount = 0;
  for (const line of lines) {
    lineCount++;
    const comment = readComment(line);
    if (comment !== null) {
      if (comment.id === "sourceFile" && typeof comment.fileName === "string")
        fileName ??= comment.fileName.slice(0, MAX_NAME_CHARACTERS);
      else if (last !== null) addFact(last, comment);
      continue;
    }
    if (/^\s*(?:#|$)/.test(line)) continue;
    last = readMethod(line);
    if (last === null) continue;
    const known = methods.get(last.shortName);
    if (known === undefined) methods.set(last.shortName, [last]);
    else known.push(last);
  }
  for (const lines of methods.values()) spreadFacts(lines);
  return { originalName, fileName, methods, lineCount };
}

/** R8 says once, at the first line of a method, what it made of the method. */
function spreadFacts(methods: readonly MappedMethod[]): void {
  const synthesized = new Set(methods.filter(({ isSynthesized }) => isSynthesized).map(({ key }) => key));
  const outlines = new Set(methods.filter(({ isOutline }) => isOutline).map(({ key }) => key));
  for (const method of methods) {
    method.isSynthesized = synthesized.has(method.key);
    method.isOutline = outlines.has(method.key);
  }
}

function readMethod(line: string): MappedMethod | null {
  const match = METHOD.exec(line);
  if (match === null) return null;
  const [, from, to, className, name = "", parameters, originalStart, originalEnd, shortName = ""] = match;
  const range = from === undefined || to === undefined ? null : ([Number(from), Number(to)] as const);
  return {
    shortName,
    key: `${className} ${name}${parameters} ${shortName}`,
    className: className?.slice(0, MAX_NAME_CHARACTERS) ?? null,
    name: name.slice(0, MAX_NAME_CHARACTERS),
    range: range?.[0] === 0 && range[1] >= NO_LINES ? null : range,
    originalStart: originalStart === undefined ? null : Number(originalStart),
    originalEnd: originalEnd === undefined ? null : Number(originalEnd),
    isSynthesized: false,
    isOutline: false,
    outlineLines: null,
    rewrites: [],
  };
}

function readComment(line: string): Record<string, unknown> | null {
  const text = line.trimStart();
  if (!text.startsWith("#")) return null;
  const json = text.slice(1).trim();
  if (!json.startsWith("{")) return null;
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** Ids of R8's comments: https://r8.googlesource.com/r8/+/refs/heads/main/doc/retrace.md */
function addFact(method: MappedMethod, comment: Record<string, unknown>): void {
  switch (comment.id) {
    case "com.android.tools.r8.synthesized":
      method.isSynthesized = true;
      break;
    case "com.android.tools.r8.outline":
      method.isOutline = true;
      break;
    case "com.android.tools.r8.outlineCallsite":
      method.outlineLines = readOutlineLines(comment.positions);
      break;
    case "com.android.tools.r8.rewriteFrame":
      method.rewrites = [...method.rewrites, ...readRewrite(comment)];
      break;
  }
}

function readOutlineLines(positions: unknown): Map<number, number> | null {
  if (typeof positions !== "object" || positions === null) return null;
  const lines = new Map<number, number>();
  for (const [inside, line] of Object.entries(positions)) if (Number.isInteger(line)) lines.set(Number(inside), line);
  return lines;
}

function readRewrite({ conditions, actions }: Record<string, unknown>): FrameRewrite[] {
  const removedCount = textsOf(actions).reduce(
    (sum, action) => sum + Number(/^removeInnerFrames\((\d{1,3})\)$/.exec(action)?.[1] ?? 0),
    0,
  );
  const exceptions = textsOf(conditions).map((condition) => /^throws\(L([^;]+);\)$/.exec(condition)?.[1]);
  // A condition that is not known may not hold.
  if (removedCount === 0 || exceptions.includes(undefined)) return [];
  return [{ exceptions: exceptions.map((path = "") => path.replaceAll("/", ".")), removedCount }];
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];
}
