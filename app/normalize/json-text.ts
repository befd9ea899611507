/** A tree below this depth is written as `…`. V8's own writer overflows the stack at a depth of a few thousand. */
const MAX_DEPTH = 64;

/**
 * JSON of a value, written no further than `maxLength` characters: the work is bounded by the answer, not by the value.
 * `isWhole` is false when something was left out; the text may then be a few characters longer than `maxLength`.
 */
export function toJsonText(value: unknown, maxLength: number): { text: string; isWhole: boolean } {
  const writer: Writer = { text: "", maxLength, isWhole: true };
  write(value, writer, 0);
  return { text: writer.text, isWhole: writer.isWhole };
}

interface Writer {
  text: string;
  readonly maxLength: number;
  isWhole: boolean;
}

function write(value: unknown, writer: Writer, depth: number): void {
  if (typeof value === "string") {
    const room = writer.maxLength - writer.text.length;
    if (value.length > room) {
      writer.isWhole = false;
      writer.text += JSON.stringify(value.slice(0, Math.max(0, room)));
    } else writer.text += JSON.stringify(value);
  } else if (typeof value === "number") {
    writer.text += Number.isFinite(value) ? String(value) : "null";
  } else if (typeof value === "boolean" || typeof value === "bigint") {
    writer.text += String(value);
  } else if (typeof value !== "object" || value === null) {
    writer.text += "null";
  } else if (depth >= MAX_DEPTH) {
    writer.isWhole = false;
    writer.text += '"…"';
  } else if (Array.isArray(value)) {
    writeList(value, writer, depth);
  } else {
    writeObject(value, writer, depth);
  }
}

function writeList(list: unknown[], writer: Writer, depth: number): void {
  writer.text += "[";
  for (let index = 0; index < list.length; index++) {
    if (isFull(writer)) break;
    if (index > 0) writer.text += ",";
    write(list[index], writer, depth + 1);
  }
  writer.text += "]";
}

function writeObject(object: object, writer: Writer, depth: number): void {
  writer.text += "{";
  let isFirst = true;
  for (const [key, value] of Object.entries(object)) {
    if (isFull(writer)) break;
    writer.text += `${isFirst ? "" : ","}${JSON.stringify(key.slice(0, writer.maxLength))}:`;
    isFirst = false;
    write(value, writer, depth + 1);
  }
  writer.text += "}";
}

function isFull(writer: Writer): boolean {
  if (writer.text.length < writer.maxLength) return false;
  writer.isWhole = false;
  return true;
}
