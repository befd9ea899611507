import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { OtlpSignal } from "./messages.ts";
import { isJsonMediaType } from "./read-request.ts";

/** The body of an answer, in the encoding of its request. */
export interface OtlpBody {
  contentType: string;
  bytes: Uint8Array;
}

const REJECTED = { traces: "rejectedSpans", logs: "rejectedLogRecords", metrics: "rejectedDataPoints" } as const;
const encoder = new TextEncoder();

/** `Export…ServiceResponse`. The partial success is left out when nothing was rejected. */
export function writeOtlpSuccess(
  contentType: string,
  signal: OtlpSignal,
  refused: ReadonlyMap<string, number>,
): OtlpBody {
  const rejected = [...refused.values()].reduce((sum, count) => sum + count, 0);
  const message = [...refused].map(([reason, count]) => `${reason}: ${count}`).join(", ");
  if (isJsonMediaType(contentType)) {
    const partialSuccess = { [REJECTED[signal]]: String(rejected), errorMessage: message };
    return toJsonBody(rejected === 0 ? {} : { partialSuccess });
  }
  const writer = new BinaryWriter();
  if (rejected > 0) {
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.Varint).int64(rejected).tag(2, WireType.LengthDelimited).string(message);
    writer.join();
  }
  return { contentType: "application/x-protobuf", bytes: writer.finish() };
}

/** `google.rpc.Status`, as OTLP wants it of every failure. */
export function writeOtlpFailure(contentType: string, message: string): OtlpBody {
  if (isJsonMediaType(contentType)) return toJsonBody({ message });
  const bytes = new BinaryWriter().tag(2, WireType.LengthDelimited).string(message).finish();
  return { contentType: "application/x-protobuf", bytes };
}

function toJsonBody(value: unknown): OtlpBody {
  return { contentType: "application/json", bytes: encoder.encode(JSON.stringify(value)) };
}
