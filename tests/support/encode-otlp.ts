import { BinaryWriter, base64Decode, WireType } from "@bufbuild/protobuf/wire";
import { type MessageType, OTLP_REQUESTS, type OtlpSignal } from "../../app/protocol/otlp/messages.ts";

type Json = Record<string, unknown>;

/** An OTLP/JSON request as protobuf. */
export function encodeOtlp(signal: OtlpSignal, request: Json): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encode(request, OTLP_REQUESTS[signal]).finish());
}

function encode(value: Json, type: MessageType): BinaryWriter {
  const writer = new BinaryWriter();
  for (const [number, { name, type: fieldType, isRepeated }] of type) {
    if (value[name] === undefined) continue;
    for (const each of isRepeated ? (value[name] as unknown[]) : [value[name]]) {
      if (typeof fieldType === "function") {
        writer.tag(number, WireType.LengthDelimited).bytes(encode(each as Json, fieldType()).finish());
        continue;
      }
      switch (fieldType) {
        case "text":
          writer.tag(number, WireType.LengthDelimited).string(String(each));
          break;
        case "id":
          writer.tag(number, WireType.LengthDelimited).bytes(Buffer.from(String(each), "hex"));
          break;
        case "bytes":
          writer.tag(number, WireType.LengthDelimited).bytes(base64Decode(String(each)));
          break;
        case "fixed64":
          writer.tag(number, WireType.Bit64).fixed64(String(each));
          break;
        case "fixed32":
          writer.tag(number, WireType.Bit32).fixed32(Number(each));
          break;
        case "sfixed64":
          writer.tag(number, WireType.Bit64).sfixed64(String(each));
          break;
        case "double":
          writer.tag(number, WireType.Bit64).double(Number(each));
          break;
        case "int64":
          writer.tag(number, WireType.Varint).int64(String(each));
          break;
        case "sint32":
          writer.tag(number, WireType.Varint).sint32(Number(each));
          break;
        case "uint32":
          writer.tag(number, WireType.Varint).uint32(Number(each));
          break;
        case "bool":
          writer.tag(number, WireType.Varint).bool(Boolean(each));
      }
    }
  }
  return writer;
}
