import { BinaryReader, base64Encode, WireType } from "@bufbuild/protobuf/wire";
import { ANY_VALUE, type Field, type MessageType, type Scalar } from "./messages.ts";
import { MAX_VALUE_DEPTH } from "./refuse-value.ts";

type Json = Record<string, unknown>;

/**
 * How deeply messages may nest. OTLP's messages have nine levels, and each level of values has three. Deeper ones are left out, and their
 * item is refused.
 */
const MAX_DEPTH = 9 + 3 * (MAX_VALUE_DEPTH + 1);
/** The message tells the sender what is wrong. */
export class MalformedProtobufError extends Error {
  override readonly name = "MalformedProtobufError";
}

/**
 * Reads a protobuf message into what OTLP/JSON would be: ids as hex, whole numbers of 64 bits as text.
 *
 * @param budget shared by messages that are read one after the other
 * @throws {MalformedProtobufError} for bytes that are no such message, and beyond the limits
 */
export function decodeMessage(bytes: Uint8Array, type: MessageType, budget: Budget): Json {
  try {
    return readMessage(new BinaryReader(bytes), bytes.length, type, budget, 0);
  } catch (error) {
    if (error instanceof MalformedProtobufError) throw error;
    throw new MalformedProtobufError(`invalid protobuf: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** How many messages may be read. A message can be two bytes, and as an object it takes thirty times as much. */
export interface Budget {
  left: number;
  of: number;
  /** What there is too many of, as a text for the sender. */
  what: string;
}

function readMessage(reader: BinaryReader, end: number, type: MessageType, budget: Budget, depth: number): Json {
  const result: Json = {};
  if (depth > MAX_DEPTH) {
    reader.pos = end;
    return result;
  }
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const field = type.get(number);
    if (field === undefined) {
      const skipped = reader.skip(wireType, number);
      if (type === ANY_VALUE) keepUnknownValue(result, number, skipped, budget);
    } else readField(reader, field, wireType, result, budget, depth);
    if (reader.pos > end) throw new MalformedProtobufError("a field is longer than its message");
  }
  return result;
}

/** A kind of value that OTLP does not have yet is the value of its attribute all the same: its bytes are kept. */
function keepUnknownValue(result: Json, number: number, bytes: Uint8Array, budget: Budget): void {
  spend(budget);
  result[`field${number}`] = base64Encode(bytes);
}

function readField(
  reader: BinaryReader,
  { name, type, isRepeated }: Field,
  wireType: WireType,
  result: Json,
  budget: Budget,
  depth: number,
): void {
  const isMessage = typeof type === "function";
  const isPacked = isRepeated && !isMessage && wireType === WireType.LengthDelimited;
  const wanted = isMessage ? WireType.LengthDelimited : WIRE_TYPES[type];
  if (!isPacked && wireType !== wanted) throw new MalformedProtobufError(`${name} has the wrong wire type ${wireType}`);
  if (!isMessage && !isPacked) {
    const value = readScalar(reader, type);
    if (isRepeated) add(result, name, value, budget);
    else result[name] = value;
    return;
  }
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new MalformedProtobufError(`${name} is cut off`);
  if (isMessage) {
    const value = readMessage(reader, end, type(), budget, depth + 1);
    if (isRepeated) add(result, name, value, budget);
    else {
      spend(budget);
      result[name] = value;
    }
    return;
  }
  while (reader.pos < end) add(result, name, readScalar(reader, type), budget);
}

function add(result: Json, name: string, value: unknown, budget: Budget): void {
  spend(budget);
  const list = result[name];
  if (Array.isArray(list)) list.push(value);
  else result[name] = [value];
}

function spend(budget: Budget): void {
  budget.left--;
  if (budget.left < 0) throw new MalformedProtobufError(`more than ${budget.of} ${budget.what} in a request`);
}

const WIRE_TYPES: Readonly<Record<Scalar, WireType>> = {
  text: WireType.LengthDelimited,
  id: WireType.LengthDelimited,
  bytes: WireType.LengthDelimited,
  raw: WireType.LengthDelimited,
  fixed32: WireType.Bit32,
  fixed64: WireType.Bit64,
  sfixed64: WireType.Bit64,
  double: WireType.Bit64,
  int64: WireType.Varint,
  sint32: WireType.Varint,
  uint32: WireType.Varint,
  bool: WireType.Varint,
};

function readScalar(reader: BinaryReader, type: Scalar): unknown {
  switch (type) {
    case "text":
      return reader.string();
    case "id":
      return toHex(reader.bytes());
    case "bytes":
      return base64Encode(reader.bytes());
    case "raw":
      return reader.bytes();
    case "fixed32":
      return reader.fixed32();
    case "fixed64":
      return String(reader.fixed64());
    case "sfixed64":
      return String(reader.sfixed64());
    case "int64":
      return String(reader.int64());
    case "sint32":
      return reader.sint32();
    case "uint32":
      return reader.uint32();
    case "double":
      return reader.double();
    case "bool":
      return reader.bool();
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Ids have 8 or 16 bytes. A longer value is no id, and becomes an empty text. */
function toHex(bytes: Uint8Array): string {
  if (bytes.length > 16) return "";
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}
