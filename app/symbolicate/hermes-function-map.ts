const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const MAX_ENTRIES = 1_000_000;

/** The places of functions in an original source, as Metro writes them into the maps of React Native bundles. */
export interface FunctionMap {
  /** Name of the function that the position lies in; 0-based. */
  find(line: number, column: number): string | null;
}

/**
 * Reads an entry of `x_facebook_sources`: a list whose first element is `{ names, mappings }`. Mappings are Base64 VLQ
 * in groups of (column, name, line), each relative to the one before, columns start over after each `;`. Null: unusable.
 */
export function decodeFunctionMap(value: unknown): FunctionMap | null {
  const entry: unknown = Array.isArray(value) ? value[0] : null;
  if (typeof entry !== "object" || entry === null || !("names" in entry) || !("mappings" in entry)) return null;
  const { names, mappings } = entry;
  if (!Array.isArray(names) || typeof mappings !== "string") return null;
  const lines: number[] = [];
  const columns: number[] = [];
  const nameIndices: number[] = [];
  let line = 0;
  let nameIndex = 0;
  for (const group of mappings.split(";")) {
    let column = 0;
    for (const segment of group.split(",")) {
      const numbers = readVlqs(segment);
      if (numbers === null || lines.length >= MAX_ENTRIES) return null;
      const [columnDelta, nameDelta, lineDelta] = numbers;
      if (columnDelta === undefined) continue;
      column += columnDelta;
      nameIndex += nameDelta ?? 0;
      line += lineDelta ?? 0;
      lines.push(line);
      columns.push(column);
      nameIndices.push(nameIndex);
    }
  }
  return {
    find(atLine, atColumn) {
      let low = 0;
      let high = lines.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const isAfter =
          (lines[middle] as number) > atLine || (lines[middle] === atLine && (columns[middle] as number) > atColumn);
        if (isAfter) high = middle;
        else low = middle + 1;
      }
      const name: unknown = low === 0 ? null : names[nameIndices[low - 1] as number];
      return typeof name === "string" && name !== "<global>" ? name : null;
    },
  };
}

function readVlqs(segment: string): number[] | null {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    if (digit === -1 || shift > 30) return null;
    value |= (digit & 31) << shift;
    if ((digit & 32) !== 0) {
      shift += 5;
      continue;
    }
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
