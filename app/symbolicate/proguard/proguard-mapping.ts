import { MIB } from "../../domain/bytes.ts";
import { type MappedClass, readMappedClass } from "./mapped-class.ts";

/** The largest mapping that is taken and read. That of an app with 100,000 classes has some 60 MB. */
export const MAX_MAPPING_BYTES = 128 * MIB;

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;
const ARROW = " -> ";
/** Lines of read sections that are kept. A line takes some 300 bytes. */
const MAX_KEPT_LINES = 50_000;
const KEPT_LINE_BYTES = 300;
/** A class line that is longer is none. Bytes. */
const MAX_CLASS_LINE_BYTES = 4_096;
/** Longer lines of members are left out, because anybody who may upload can write them. Bytes. */
const MAX_LINE_BYTES = 65_536;
/** Lines of a section that are read. Classes that R8 merged have some thousand. */
const MAX_SECTION_LINES = 20_000;

/** Classes that are found. The largest apps have some 300,000. */
const MAX_CLASSES = 1_000_000;
/** Classes whose names have one hash and are compared. By chance there are two or three. */
const MAX_SAME_HASH = 32;

/** Where sections begin: byte offsets of their class lines, sorted by the hash of a name. */
interface NameIndex {
  hashes: Uint32Array;
  offsets: Uint32Array;
}

/**
 * The mapping that R8 or ProGuard writes when it shortens names: which class, method and line of the source stands behind one of the
 * shipped app. It stays in memory as bytes with an index of its classes. A section is read when a frame asks for it.
 */
export class ProguardMapping {
  readonly #bytes: Buffer;
  readonly #byShortName: NameIndex;
  readonly #byOriginalName: NameIndex;
  readonly #sections = new Map<number, MappedClass>();
  #keptLines = 0;

  private constructor(bytes: Buffer, classes: readonly ClassPlace[]) {
    this.#bytes = bytes;
    this.#byShortName = toIndex(classes, ({ shortHash }) => shortHash);
    this.#byOriginalName = toIndex(classes, ({ originalHash }) => originalHash);
    this.classCount = classes.length;
  }

  readonly classCount: number;
  /** How many lines were read for frames so far. A thousand take a millisecond. */
  readLineCount = 0;

  static parse(bytes: Buffer): ProguardMapping {
    return new ProguardMapping(bytes, findClasses(bytes));
  }

  get memoryBytes(): number {
    return this.#bytes.length + 16 * this.classCount + MAX_KEPT_LINES * KEPT_LINE_BYTES;
  }

  /** The class that has this name in the shipped app. Null: the mapping does not have it. */
  findClass(shortName: string): MappedClass | null {
    return this.#find(this.#byShortName, shortName, (line) => line.shortName);
  }

  /** The name of the file that has the class's source. Null: the mapping does not say it. */
  findFileName(originalName: string): string | null {
    return this.#find(this.#byOriginalName, originalName, (line) => line.originalName)?.fileName ?? null;
  }

  #find(index: NameIndex, name: string, nameOf: (line: ClassLine) => string): MappedClass | null {
    const hash = hashOf(name);
    const first = lowerBound(index.hashes, hash);
    for (let at = first; index.hashes[at] === hash && at < first + MAX_SAME_HASH; at++) {
      const offset = index.offsets[at] ?? 0;
      const line = readClassLine(this.#bytes, offset, endOfLine(this.#bytes, offset));
      if (line !== null && nameOf(line) === name) return this.#section(offset, line.originalName);
    }
    return null;
  }

  #section(offset: number, originalName: string): MappedClass {
    const kept = this.#sections.get(offset);
    if (kept !== undefined) return kept;
    const section = readMappedClass(originalName, linesOfSection(this.#bytes, offset));
    this.readLineCount += section.lineCount;
    this.#keptLines += section.lineCount + 1;
    for (const [oldest, { lineCount }] of this.#sections) {
      if (this.#keptLines <= MAX_KEPT_LINES) break;
      this.#sections.delete(oldest);
      this.#keptLines -= lineCount + 1;
    }
    this.#sections.set(offset, section);
    return section;
  }
}

interface ClassLine {
  originalName: string;
  shortName: string;
}

interface ClassPlace {
  offset: number;
  originalHash: number;
  shortHash: number;
}

function findClasses(bytes: Buffer): ClassPlace[] {
  const classes: ClassPlace[] = [];
  for (let offset = 0; offset < bytes.length && classes.length < MAX_CLASSES; ) {
    const end = endOfLine(bytes, offset);
    const line = isClassStart(bytes[offset]) ? readClassLine(bytes, offset, end) : null;
    if (line !== null)
      classes.push({ offset, originalHash: hashOf(line.originalName), shortHash: hashOf(line.shortName) });
    offset = end + 1;
  }
  return classes;
}

/** Lines of members begin with a space. */
function isClassStart(byte: number | undefined): boolean {
  return byte !== undefined && byte !== SPACE && byte !== TAB && byte !== HASH;
}

/** `com.example.Cart -> a.b:`; null: the line is another. */
function readClassLine(bytes: Buffer, offset: number, end: number): ClassLine | null {
  if (end - offset > MAX_CLASS_LINE_BYTES) return null;
  const line = bytes.toString("utf8", offset, end).trimEnd();
  const arrow = line.indexOf(ARROW);
  if (arrow < 1 || !line.endsWith(":")) return null;
  const shortName = line.slice(arrow + ARROW.length, -1);
  return shortName === "" ? null : { originalName: line.slice(0, arrow), shortName };
}

function endOfLine(bytes: Buffer, offset: number): number {
  const end = bytes.indexOf(LINE_FEED, offset);
  return end === -1 ? bytes.length : end;
}

function* linesOfSection(bytes: Buffer, classOffset: number): Generator<string> {
  let offset = endOfLine(bytes, classOffset) + 1;
  for (let count = 0; offset < bytes.length && count < MAX_SECTION_LINES; count++) {
    const end = endOfLine(bytes, offset);
    if (isClassStart(bytes[offset]) && readClassLine(bytes, offset, end) !== null) return;
    yield end - offset > MAX_LINE_BYTES ? "" : bytes.toString("utf8", offset, end).trimEnd();
    offset = end + 1;
  }
}

function toIndex(classes: readonly ClassPlace[], hashOfPlace: (place: ClassPlace) => number): NameIndex {
  const sorted = classes.toSorted((a, b) => hashOfPlace(a) - hashOfPlace(b) || a.offset - b.offset);
  return { hashes: Uint32Array.from(sorted, hashOfPlace), offsets: Uint32Array.from(sorted, ({ offset }) => offset) };
}

/** FNV-1a over UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** The first index whose value is not below `wanted`. */
function lowerBound(values: Uint32Array, wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
