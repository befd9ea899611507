import type { Frame } from "../../domain/event.ts";
import type { MappedClass, MappedMethod } from "./mapped-class.ts";
import type { ProguardMapping } from "./proguard-mapping.ts";

/** A call that stands behind a frame of the shipped app. */
interface RetracedCall {
  className: string;
  /** Null: several methods may be meant, so that the frame keeps the short name. */
  methodName: string | null;
  fileName: string | null;
  /** Null: unknown. */
  line: number | null;
}

export interface RetracedStack {
  /** Oldest call first. A frame with inlined calls stands for several. */
  frames: Frame[];
  /** How many frames of the shipped app the mappings know. */
  foundCount: number;
}

export interface EventMappings {
  /** In the order in which they are asked. */
  mappings: readonly ProguardMapping[];
  /** Whether so much was read for the event that its further frames stay as they are. */
  isSpent(): boolean;
}

/** Inlined calls of one frame; more are not shown, because anybody who may upload can write them. */
const MAX_CALLS_OF_FRAME = 64;
/** Frames of a stack beyond which inlined calls are no longer told apart. */
const MAX_FRAMES = 1_000;

/** Lines that are read for one event: the symbolicator works for all projects, and a mapping may be made to be slow. */
const MAX_LINES_OF_EVENT = 200_000;

export function openMappings(mappings: readonly ProguardMapping[]): EventMappings {
  const countRead = () => mappings.reduce((sum, { readLineCount }) => sum + readLineCount, 0);
  const before = countRead();
  return { mappings, isSpent: () => countRead() - before > MAX_LINES_OF_EVENT };
}

/**
 * Gives the frames of a stack their names and lines in the source. `thrown`: the original name of the exception with its package, null
 * without one. Frames that no mapping knows stay as they are.
 */
export function retraceFrames(frames: readonly Frame[], mappings: EventMappings, thrown: string | null): RetracedStack {
  const newestFirst: Frame[][] = [];
  let foundCount = 0;
  let count = 0;
  let outlineLine: number | null = null;
  for (const [depth, frame] of frames.toReversed().entries()) {
    const found = findSection(mappings, frame.module);
    if (found === null) {
      newestFirst.push([frame]);
      count++;
      continue;
    }
    foundCount++;
    const { section, mapping } = found;
    let methods = findMethods(section, frame.function, lineOf(frame));
    const line = outlineLine === null ? undefined : methods.at(-1)?.outlineLines?.get(outlineLine);
    if (line !== undefined) methods = findMethods(section, frame.function, line);
    outlineLine = null;
    if (methods.at(-1)?.isOutline) {
      // Its code belongs to the caller, the next frame.
      outlineLine = lineOf(frame);
      continue;
    }
    const calls = toCalls({ section, mapping, methods, line: line ?? lineOf(frame) });
    const visible = depth === 0 ? dropInner(calls, methods, thrown) : calls;
    const bounded = visible.slice(-MAX_CALLS_OF_FRAME);
    const shown = count + bounded.length > MAX_FRAMES ? bounded.slice(-1) : bounded;
    count += shown.length;
    newestFirst.push(shown.map((call) => toFrame(frame, call)));
  }
  return { frames: newestFirst.flat().reverse(), foundCount };
}

/** The original name of a class with its package. Null: no mapping knows it. */
export function retraceClassName(shortName: string, mappings: EventMappings): string | null {
  return findSection(mappings, shortName)?.section.originalName ?? null;
}

function findSection(
  { mappings, isSpent }: EventMappings,
  className: string | undefined,
): { section: MappedClass; mapping: ProguardMapping } | null {
  if (className === undefined || isSpent()) return null;
  for (const mapping of mappings) {
    const section = mapping.findClass(className);
    if (section !== null) return { section, mapping };
  }
  return null;
}

function lineOf({ lineno }: Frame): number | null {
  return lineno === undefined || lineno <= 0 ? null : lineno;
}

/**
 * The lines of the mapping that stand behind a frame: the innermost inlined method first, the method itself last. Several without a
 * range may be several methods with one short name.
 */
function findMethods(section: MappedClass, shortName: string | undefined, line: number | null): MappedMethod[] {
  const all = shortName === undefined ? [] : (section.methods.get(shortName) ?? []);
  const exact = line === null ? [] : all.filter(({ range }) => range !== null && range[0] <= line && line <= range[1]);
  if (exact.length > 0) {
    const [first] = exact;
    // Ranges of overloaded methods do not overlap; a second one that has the line is a mistake of the file.
    return exact.filter(({ range }) => range?.[0] === first?.range?.[0] && range?.[1] === first?.range?.[1]);
  }
  const withoutRange = all.filter(({ range }) => range === null);
  if (withoutRange.length > 0) return withoutRange;
  return line === null ? outermostOf(all) : [];
}

/** The method of each body, without what was inlined there. */
function outermostOf(methods: readonly MappedMethod[]): MappedMethod[] {
  return methods.filter((method, index) => {
    const next = methods[index + 1];
    return next?.range?.[0] !== method.range?.[0] || next?.range?.[1] !== method.range?.[1];
  });
}

/** The calls behind a frame, newest first. */
function toCalls({
  section,
  mapping,
  methods,
  line,
}: {
  section: MappedClass;
  mapping: ProguardMapping;
  methods: readonly MappedMethod[];
  line: number | null;
}): RetracedCall[] {
  const [first] = methods;
  if (first === undefined) return [toCall(section, mapping, null, line)];
  if (first.range === null || line === null) {
    if (methods.every(({ isSynthesized }) => isSynthesized)) return [];
    const isOne = methods.every(({ name, className }) => name === first.name && className === first.className);
    return [toCall(section, mapping, isOne ? first : null, methods.length === 1 ? line : null)];
  }
  return methods.filter(({ isSynthesized }) => !isSynthesized).map((method) => toCall(section, mapping, method, line));
}

function toCall(
  section: MappedClass,
  mapping: ProguardMapping,
  method: MappedMethod | null,
  line: number | null,
): RetracedCall {
  const className = method?.className ?? section.originalName;
  return {
    className,
    methodName: method?.name ?? null,
    fileName: (className === section.originalName ? section.fileName : mapping.findFileName(className)) ?? null,
    line: method === null ? line : originalLine(method, line),
  };
}

function originalLine({ range, originalStart, originalEnd }: MappedMethod, line: number | null): number | null {
  if (originalStart === null) return line;
  if (range === null || line === null) return originalStart > 0 && originalEnd === null ? originalStart : null;
  const original =
    originalEnd === null || originalEnd === originalStart ? originalStart : originalStart + line - range[0];
  return original > 0 ? original : null;
}

/** Without the inner calls that R8 put in place of a check for null. */
function dropInner(
  calls: readonly RetracedCall[],
  methods: readonly MappedMethod[],
  thrown: string | null,
): readonly RetracedCall[] {
  const rewrite = methods
    .flatMap(({ rewrites }) => rewrites)
    .find(({ exceptions }) => exceptions.length === 0 || (thrown !== null && exceptions.includes(thrown)));
  return rewrite === undefined || rewrite.removedCount >= calls.length ? calls : calls.slice(rewrite.removedCount);
}

function toFrame(frame: Frame, { className, methodName, fileName, line }: RetracedCall): Frame {
  const { lineno: _, filename, abs_path: __, ...kept } = frame;
  const file = fileName ?? guessFileName(className, filename);
  return {
    ...kept,
    module: className,
    ...(methodName === null ? {} : { function: methodName }),
    ...(file === null ? {} : { filename: file, abs_path: file }),
    ...(line === null ? {} : { lineno: line }),
    data: { ...frame.data, symbolicated: true },
  };
}

/** The file that Java requires for the outermost class. For Kotlin it is a guess. */
function guessFileName(className: string, sent: string | undefined): string | null {
  const outermost = /[^.]*$/.exec(className)?.[0].split("$")[0];
  if (outermost === undefined || outermost === "") return sent ?? null;
  const isKotlin = sent?.endsWith(".kt") === true || outermost.endsWith("Kt");
  return isKotlin ? `${outermost.replace(/Kt$/, "")}.kt` : `${outermost}.java`;
}
