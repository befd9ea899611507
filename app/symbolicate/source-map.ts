import { MIB } from "../domain/bytes.ts";
import { decodeMappings, MappingsError, type MappingsPart, type MappingTable } from "./decode-mappings.ts";
import { decodeFunctionMap, type FunctionMap } from "./hermes-function-map.ts";
import { type ByteRange, JsonBytes, JsonBytesError } from "./read-json-bytes.ts";
import { SourceLines } from "./source-lines.ts";

/** Thrown when a map cannot be used. The message tells its maker what is wrong. */
export class SourceMapError extends Error {
  override name = "SourceMapError";
}

/** The original place of generated code. Lines and columns are 0-based; columns count UTF-16 units. */
export interface Mapping {
  source: number;
  line: number;
  column: number;
  /** Original name of the token, if the map has one. */
  name: string | null;
  /** 0-based column where the mapping begins: the position asked for, or before it. */
  generatedColumn: number;
}

/** Sources, names, texts and sections together: each costs 8 to 20 bytes before it is used. The largest seen: 300,000. */
const MAX_ENTRIES = 2_000_000;
/** Some tools write a section for each module. */
const MAX_SECTIONS = 50_000;
/** The longest text of a version, offset or index in JSON. Longer values are skipped, because they would be built on the heap. */
const MAX_NUMBER_BYTES = 200;
/** A name, a path or a debug id, as JSON. */
const MAX_TEXT_BYTES = 64 * 1024;
/** The text of a source, as JSON. The same as for a source that is uploaded by itself. */
const MAX_SOURCE_BYTES = 16 * MIB;
/** An entry of `x_facebook_sources`, as JSON, and those that are kept: they take twenty times as much on the heap. */
const MAX_FUNCTION_MAP_BYTES = 4 * MIB;
/** The specification has no sections in sections, but some tools write them. */
const MAX_SECTION_DEPTH = 4;
/** Texts of sources that were read last, kept as text: characters. */
const MAX_DECODED_CHARACTERS = 2_000_000;

/** The range when there is no value. */
const NONE: ByteRange = { start: 0, end: 0 };

/** Ranges of values outside of the JavaScript heap: 8 bytes each, where an object takes 40. */
class RangeList {
  #places = new Uint32Array(0);
  length = 0;

  push({ start, end }: ByteRange): void {
    const at = this.length * 2;
    if (at === this.#places.length) {
      const larger = new Uint32Array(Math.max(16, at * 2));
      larger.set(this.#places);
      this.#places = larger;
    }
    this.#places[at] = start;
    this.#places[at + 1] = end;
    this.length++;
  }

  /** `NONE` beyond the end. */
  get(index: number): ByteRange {
    const end = this.#places[index * 2 + 1] ?? 0;
    return end === 0 ? NONE : { start: this.#places[index * 2] ?? 0, end };
  }
}

const NO_RANGES = new RangeList();

/** One map, or one section of an indexed map. */
interface MapPart {
  mappings: Buffer;
  sources: RangeList;
  sourcesContent: RangeList;
  sourceRoot: ByteRange;
  names: RangeList;
  ignoreList: RangeList;
  /** Metro's function maps, by source. */
  functionMaps: RangeList;
  line: number;
  column: number;
}

/**
 * A source map, read lazily: its bytes stay as they are, outside the JavaScript heap, its mappings become tables of
 * numbers, and names and texts are built when they are asked for.
 */
export class SourceMap {
  readonly #json: JsonBytes;
  readonly #table: MappingTable;
  readonly #sources = new RangeList();
  /** Ranges by source, here and in the next two lists: root, content, function map. */
  readonly #roots = new RangeList();
  readonly #contents = new RangeList();
  readonly #functions = new RangeList();
  readonly #names = new RangeList();
  /** 1: the source is other people's code. */
  readonly #ignored: Uint8Array;
  readonly #lines = new Map<number, SourceLines>();
  #decodedCharacters = 0;
  #entryCount = 0;
  readonly #functionMaps = new Map<number, FunctionMap | null>();
  #functionMapBytes = 0;
  /** 32 lower-case hex characters; null: the map names none. */
  readonly debugId: string | null;
  /** Estimated, all of it; texts that are decoded for a while included. */
  readonly memoryBytes: number;

  /** @throws SourceMapError */
  static parse(bytes: Uint8Array): SourceMap {
    try {
      return new SourceMap(bytes);
    } catch (error) {
      if (error instanceof JsonBytesError || error instanceof MappingsError)
        throw new SourceMapError(`the source map is malformed: ${error.message}`, { cause: error });
      throw error;
    }
  }

  private constructor(bytes: Uint8Array) {
    this.#json = new JsonBytes(bytes);
    const root = this.#json.root(findJsonStart(bytes));
    const facts = { debugId: null as string | null };
    const parts: MapPart[] = [];
    this.#collectParts(root, { line: 0, column: 0 }, 0, parts, facts);
    parts.sort((a, b) => a.line - b.line || a.column - b.column);
    this.debugId = facts.debugId;
    const sourceCount = parts.reduce((sum, { sources }) => sum + sources.length, 0);
    this.#ignored = new Uint8Array(sourceCount);
    const places: MappingsPart[] = [];
    for (const [index, part] of parts.entries()) {
      const next = parts[index + 1];
      const firstSource = this.#sources.length;
      places.push({
        bytes: part.mappings,
        line: part.line,
        column: part.column,
        endLine: next?.line ?? null,
        endColumn: next?.column ?? 0,
        firstSource,
        sourceCount: part.sources.length,
        firstName: this.#names.length,
        nameCount: part.names.length,
      });
      for (let at = 0; at < part.sources.length; at++) {
        this.#sources.push(part.sources.get(at));
        this.#roots.push(part.sourceRoot);
        this.#contents.push(part.sourcesContent.get(at));
        this.#functions.push(part.functionMaps.get(at));
      }
      for (let at = 0; at < part.names.length; at++) this.#names.push(part.names.get(at));
      for (let at = 0; at < part.ignoreList.length; at++) {
        const source = this.#readShort(part.ignoreList.get(at));
        if (isPosition(source) && source < part.sources.length) this.#ignored[firstSource + source] = 1;
      }
    }
    this.#table = decodeMappings(places);
    const tableBytes = this.#table.lineStarts.byteLength + this.#table.generatedColumns.buffer.byteLength * 5;
    this.memoryBytes =
      bytes.byteLength + tableBytes + this.#sources.length * 70 + this.#names.length * 16 + MAX_DECODED_CHARACTERS / 4;
  }

  get sourceCount(): number {
    return this.#sources.length;
  }

  get mappingCount(): number {
    return this.#table.generatedColumns.length;
  }

  get generatedLineCount(): number {
    return this.#table.lineStarts.length - 1;
  }

  /** The last mapping of the line at or before the column; null: none, or the code there has no source. 0-based. */
  find(line: number, column: number): Mapping | null {
    const { lineStarts, generatedColumns, sources, originalLines, originalColumns, names } = this.#table;
    if (line < 0 || column < 0 || line >= lineStarts.length - 1) return null;
    let low = lineStarts[line] as number;
    const first = low;
    let high = lineStarts[line + 1] as number;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((generatedColumns[middle] as number) <= column) low = middle + 1;
      else high = middle;
    }
    let index = low - 1;
    if (index < first) return null;
    const generatedColumn = generatedColumns[index] as number;
    // If several mappings are at this exact place, the first counts, as in other readers.
    if (generatedColumn === column) while (index > first && generatedColumns[index - 1] === column) index--;
    const source = sources[index] as number;
    if (source < 0) return null;
    const name = names[index] as number;
    return {
      source,
      line: originalLines[index] as number,
      column: originalColumns[index] as number,
      name: name < 0 ? null : this.#readText(this.#names.get(name)),
      generatedColumn,
    };
  }

  /** Name of a source with `sourceRoot` in front of it; null: the map names none. */
  sourceName(source: number): string | null {
    const name = this.#readText(this.#sources.get(source));
    return name === null ? null : withSourceRoot(this.#readText(this.#roots.get(source)) ?? "", name);
  }

  hasSourceContent(source: number): boolean {
    const content = this.#contents.get(source);
    return content !== NONE && this.#json.isString(content) && sizeOf(content) <= MAX_SOURCE_BYTES;
  }

  /** Lines of a source that the map carries; null: it does not. */
  sourceLines(source: number): SourceLines | null {
    const known = this.#lines.get(source);
    if (known !== undefined) return known;
    const text = this.#readText(this.#contents.get(source), MAX_SOURCE_BYTES);
    if (text === null) return null;
    const lines = new SourceLines(text);
    if (text.length > MAX_DECODED_CHARACTERS) return lines;
    this.#decodedCharacters += text.length;
    for (const [oldest, { text: oldText }] of this.#lines) {
      if (this.#decodedCharacters <= MAX_DECODED_CHARACTERS) break;
      this.#lines.delete(oldest);
      this.#decodedCharacters -= oldText.length;
    }
    this.#lines.set(source, lines);
    return lines;
  }

  /** Whether the map marks a source as other people's code. */
  isIgnored(source: number): boolean {
    return this.#ignored[source] === 1;
  }

  /** Name of the function around an original position, where the map carries Metro's function maps. 0-based. */
  findFunctionName(source: number, line: number, column: number): string | null {
    let functionMap = this.#functionMaps.get(source);
    if (functionMap === undefined) {
      const range = this.#functions.get(source);
      const bytes = sizeOf(range);
      functionMap = range === NONE || bytes > MAX_FUNCTION_MAP_BYTES ? null : decodeFunctionMap(this.#json.read(range));
      if (this.#functionMaps.size >= 256 || this.#functionMapBytes + bytes > MAX_FUNCTION_MAP_BYTES) {
        this.#functionMaps.clear();
        this.#functionMapBytes = 0;
      }
      this.#functionMaps.set(source, functionMap);
      this.#functionMapBytes += bytes;
    }
    return functionMap?.find(line, column) ?? null;
  }

  #readText(range: ByteRange, maxBytes = MAX_TEXT_BYTES): string | null {
    try {
      return range === NONE || sizeOf(range) > maxBytes ? null : this.#json.readString(range);
    } catch {
      // A single invalid text does not make the others useless.
      return null;
    }
  }

  /** Null also for a text that is too long. */
  #readShort(range: ByteRange): unknown {
    return sizeOf(range) > MAX_NUMBER_BYTES ? null : this.#json.read(range);
  }

  #collectParts(
    range: ByteRange,
    at: { line: number; column: number },
    depth: number,
    parts: MapPart[],
    facts: { debugId: string | null },
  ): void {
    const json = this.#json;
    if (!json.isObject(range)) throw new SourceMapError("the source map is malformed: it is not a JSON object");
    const members = new Map<string, ByteRange>();
    json.eachMember(range, (key, value) => members.set(key, value));
    for (const key of ["debug_id", "debugId"]) {
      const value = members.get(key);
      if (value !== undefined && depth === 0) facts.debugId ??= toDebugId(this.#readText(value));
    }
    if (members.has("x_hermes_function_offsets") && !members.has("x_facebook_sources"))
      throw new SourceMapError(
        "the source map leads from Hermes bytecode to the bundle only: it must be composed with the map of the packager",
      );
    const sections = members.get("sections");
    if (sections !== undefined && json.isArray(sections)) {
      if (depth >= MAX_SECTION_DEPTH)
        throw new SourceMapError(`the source map is malformed: sections nest deeper than ${MAX_SECTION_DEPTH}`);
      const items = this.#items(sections);
      for (let index = 0; index < items.length; index++)
        this.#collectSection(items.get(index), at, depth, parts, facts);
      return;
    }
    const version = members.get("version");
    const versionValue = version === undefined ? 3 : this.#readShort(version);
    if (Number(versionValue) !== 3)
      throw new SourceMapError(`the source map is malformed: version ${String(versionValue).slice(0, 20)}, not 3`);
    const mappings = members.get("mappings");
    const mappingBytes = mappings === undefined ? null : json.readStringBytes(mappings);
    if (mappingBytes === null) throw new SourceMapError("the source map is malformed: it has no mappings");
    if (parts.length >= MAX_SECTIONS) throw new SourceMapError(`the source map has more than ${MAX_SECTIONS} sections`);
    const list = (key: string): RangeList => {
      const value = members.get(key);
      return value !== undefined && json.isArray(value) ? this.#items(value) : NO_RANGES;
    };
    parts.push({
      mappings: mappingBytes,
      sources: list("sources"),
      sourcesContent: list("sourcesContent"),
      sourceRoot: members.get("sourceRoot") ?? NONE,
      names: list("names"),
      ignoreList: members.has("ignoreList") ? list("ignoreList") : list("x_google_ignoreList"),
      functionMaps: list("x_facebook_sources"),
      ...at,
    });
  }

  #collectSection(
    section: ByteRange,
    at: { line: number; column: number },
    depth: number,
    parts: MapPart[],
    facts: { debugId: string | null },
  ): void {
    if (!this.#json.isObject(section)) return;
    let offset: unknown = null;
    let map: ByteRange | null = null;
    let hasUrl = false;
    this.#json.eachMember(section, (key, value) => {
      if (key === "offset") offset = this.#readShort(value);
      else if (key === "map") map = value;
      else if (key === "url") hasUrl = true;
    });
    if (map === null)
      throw new SourceMapError(
        `the source map is malformed: a section has no map${hasUrl ? ", only a URL, which is not followed" : ""}`,
      );
    const { line, column } = (offset ?? {}) as { line?: unknown; column?: unknown };
    if (!isPosition(line) || !isPosition(column))
      throw new SourceMapError("the source map is malformed: a section's offset is not a line and a column");
    // The column of a section that begins on a later line is that line's own.
    const start = { line: at.line + line, column: line === 0 ? at.column + column : column };
    this.#collectParts(map, start, depth + 1, parts, facts);
  }

  #items(range: ByteRange): RangeList {
    const items = new RangeList();
    this.#json.eachItem(range, (item) => {
      if (++this.#entryCount > MAX_ENTRIES)
        throw new SourceMapError(`the lists of the source map have more than ${MAX_ENTRIES} entries together`);
      items.push(item);
    });
    return items;
  }
}

function sizeOf({ start, end }: ByteRange): number {
  return end - start;
}

function isPosition(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 0x7fffffff;
}

/** The start of the JSON, behind a byte order mark and the line `)]}'` that keeps JSON from being run as a script. */
function findJsonStart(bytes: Uint8Array): number {
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (bytes[start] === 0x29 && bytes[start + 1] === 0x5d && bytes[start + 2] === 0x7d) {
    const lineEnd = bytes.indexOf(0x0a, start);
    start = lineEnd === -1 ? bytes.length : lineEnd + 1;
  }
  return start;
}

function withSourceRoot(root: string, name: string): string {
  // Absolute names stand for themselves.
  if (root === "" || /^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(name)) return name;
  return root.endsWith("/") ? root + name : `${root}/${name}`;
}

/** Ids come with and without dashes, in upper and lower case. Null for anything else. */
export function toDebugId(text: unknown): string | null {
  if (typeof text !== "string" || text.length > 64) return null;
  const id = text.trim().replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}
