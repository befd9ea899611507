import { isRecord } from "../../domain/is-record.ts";
import { readMinidump } from "../../protocol/read-minidump.ts";

/** Attachment type of the memory of a crashed program. */
export const MINIDUMP = "event.minidump";

const WORDS = "Read from the minidump: the instruction that failed. Its callers are in the file, for a debugger.";

/**
 * SDKs of C++ and of Electron send a crash as an event without an exception, together with a minidump. This adds the exception and its
 * place from the minidump to the event.
 */
export function addMinidump(event: Record<string, unknown>, minidump: Uint8Array): Record<string, unknown> {
  if (hasException(event.exception)) return event;
  const crash = readMinidump(minidump);
  if (crash === null || crash.type === null) return event;
  const { type, address, instruction, images } = crash;
  const exception = {
    type,
    mechanism: {
      type: "minidump",
      synthetic: true,
      handled: false,
      description: WORDS,
      ...(address === null ? {} : { data: { relevant_address: address } }),
    },
    ...(instruction === null ? {} : { stacktrace: { frames: [{ instruction_addr: instruction }] } }),
  };
  return {
    platform: "native",
    ...event,
    level: "fatal",
    exception: { values: [exception] },
    debug_meta: hasImages(event.debug_meta) ? event.debug_meta : { images },
  };
}

function hasException(exception: unknown): boolean {
  const values = isRecord(exception) ? exception.values : exception;
  return Array.isArray(values) && values.length > 0;
}

function hasImages(meta: unknown): boolean {
  return isRecord(meta) && Array.isArray(meta.images) && meta.images.length > 0;
}
