/** Mappings that do not follow the format, or are more than is decoded. */
export class MappingsError extends Error {
  override name = "MappingsError";
}

/** 20 bytes each in memory. A map of 50 MB has about three million. */
const MAX_SEGMENTS = 10_000_000;
const MAX_GENERATED_LINES = 10_000_000;

const COMMA = 0x2c;
const SEMICOLON = 0x3b;

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Value of a Base64 digit by its byte; 255: none. */
const DIGIT_VALUES = new Uint8Array(256).fill(255);
for (let value = 0; value < DIGITS.length; value++) DIGIT_VALUES[DIGITS.charCodeAt(value)] = value;

/** The place of the mappings of a map, or of one of its sections, within the whole. */
export interface MappingsPart {
  /** Base64 VLQ, as in the map's `mappings`. */
  bytes: Uint8Array;
  /** The place in the generated file where the section begins, 0-based. */
  line: number;
  column: number;
  /** Generated positions from here on belong to the next section; null: no end. */
  endLine: number | null;
  endColumn: number;
  /** Added to the part's own indices. */
  firstSource: number;
  sourceCount: number;
  firstName: number;
  nameCount: number;
}

/** Mappings as parallel arrays of numbers, ordered by generated line and column. They take a quarter of the memory of nested lists. */
export interface MappingTable {
  /** Index of the first segment of each generated line; one more entry than lines. */
  lineStarts: Uint32Array;
  generatedColumns: Int32Array;
  /** -1: the code has no source. */
  sources: Int32Array;
  originalLines: Int32Array;
  originalColumns: Int32Array;
  /** -1: none. */
  names: Int32Array;
}

/** @throws MappingsError */
export function decodeMappings(parts: readonly MappingsPart[]): MappingTable {
  let segmentCount = 0;
  let lineCount = 0;
  for (const part of parts) {
    const size = measure(part.bytes);
    segmentCount += size.segments;
    lineCount = Math.max(lineCount, part.line + size.lines);
    if (segmentCount > MAX_SEGMENTS) throw new MappingsError(`more than ${MAX_SEGMENTS} mappings`);
    if (lineCount > MAX_GENERATED_LINES) throw new MappingsError(`more than ${MAX_GENERATED_LINES} generated lines`);
  }
  const builder = new TableBuilder(lineCount, segmentCount);
  for (const part of parts) builder.add(part);
  return builder.finish();
}

function measure(bytes: Uint8Array): { segments: number; lines: number } {
  let segments = bytes.length === 0 ? 0 : 1;
  let lines = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === COMMA) segments++;
    else if (byte === SEMICOLON) {
      segments++;
      lines++;
    }
  }
  return { segments, lines };
}

/** Whether the number fits into a table of 32 bits. A larger one would become another number. */
function isPosition(value: number): boolean {
  return value >= 0 && value <= 0x7fffffff;
}

class TableBuilder {
  readonly #lineStarts: Uint32Array;
  readonly #columns: Int32Array;
  readonly #sources: Int32Array;
  readonly #originalLines: Int32Array;
  readonly #originalColumns: Int32Array;
  readonly #names: Int32Array;
  #count = 0;
  /** Generated line that is being filled. */
  #line = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;

  constructor(lineCount: number, segmentCount: number) {
    this.#lineStarts = new Uint32Array(lineCount + 1);
    this.#columns = new Int32Array(segmentCount);
    this.#sources = new Int32Array(segmentCount);
    this.#originalLines = new Int32Array(segmentCount);
    this.#originalColumns = new Int32Array(segmentCount);
    this.#names = new Int32Array(segmentCount);
  }

  add(part: MappingsPart): void {
    const { bytes, endLine, endColumn } = part;
    this.#bytes = bytes;
    this.#at = 0;
    let source = 0;
    let originalLine = 0;
    let originalColumn = 0;
    let name = 0;
    let partLine = 0;
    while (this.#at < bytes.length || partLine === 0) {
      const line = part.line + partLine;
      if (endLine !== null && line > endLine) return;
      this.#goTo(line);
      // Only a section's first line begins at its column.
      let column = partLine === 0 ? part.column : 0;
      const first = this.#count;
      let isSorted = true;
      while (this.#at < bytes.length && bytes[this.#at] !== SEMICOLON) {
        if (bytes[this.#at] === COMMA) {
          this.#at++;
          continue;
        }
        const previousColumn = column;
        column += this.#readVlq();
        const index = this.#count;
        this.#columns[index] = column;
        this.#sources[index] = -1;
        this.#names[index] = -1;
        if (this.#isInSegment()) {
          source += this.#readVlq();
          originalLine += this.#readVlq();
          originalColumn += this.#readVlq();
          const isKnown =
            source >= 0 && source < part.sourceCount && isPosition(originalLine) && isPosition(originalColumn);
          if (isKnown) {
            this.#sources[index] = part.firstSource + source;
            this.#originalLines[index] = originalLine;
            this.#originalColumns[index] = originalColumn;
          }
          if (this.#isInSegment()) {
            name += this.#readVlq();
            if (isKnown && name >= 0 && name < part.nameCount) this.#names[index] = part.firstName + name;
            // A later version of the format may say more.
            while (this.#isInSegment()) this.#readVlq();
          }
        }
        if (!isPosition(column) || (endLine !== null && line === endLine && column >= endColumn)) continue;
        if (column < previousColumn) isSorted = false;
        this.#count++;
      }
      if (!isSorted) this.#sort(first);
      this.#at++;
      partLine++;
    }
  }

  finish(): MappingTable {
    this.#goTo(this.#lineStarts.length - 1);
    return {
      lineStarts: this.#lineStarts,
      generatedColumns: this.#columns.subarray(0, this.#count),
      sources: this.#sources.subarray(0, this.#count),
      originalLines: this.#originalLines.subarray(0, this.#count),
      originalColumns: this.#originalColumns.subarray(0, this.#count),
      names: this.#names.subarray(0, this.#count),
    };
  }

  #goTo(line: number): void {
    // Sections are put in order before, and clipped to where the next one begins.
    if (line < this.#line) throw new MappingsError("sections overlap");
    while (this.#line < line) this.#lineStarts[++this.#line] = this.#count;
  }

  #isInSegment(): boolean {
    const byte = this.#bytes[this.#at];
    return byte !== undefined && byte !== COMMA && byte !== SEMICOLON;
  }

  #readVlq(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const digit = DIGIT_VALUES[this.#bytes[this.#at] ?? 0] as number;
      if (digit === 255) throw new MappingsError(`no Base64 digit at ${this.#at} of the mappings`);
      this.#at++;
      value |= (digit & 31) << shift;
      if ((digit & 32) === 0) break;
      shift += 5;
      if (shift > 30) throw new MappingsError(`a number of more than 32 bits at ${this.#at} of the mappings`);
    }
    return value & 1 ? -(value >>> 1) : value >>> 1;
  }

  /** Tools may write a line's mappings in any order; few do. */
  #sort(first: number): void {
    const order = Array.from({ length: this.#count - first }, (_, index) => first + index);
    order.sort((a, b) => (this.#columns[a] as number) - (this.#columns[b] as number) || a - b);
    for (const values of [this.#columns, this.#sources, this.#originalLines, this.#originalColumns, this.#names]) {
      values.set(
        order.map((index) => values[index] as number),
        first,
      );
    }
  }
}
