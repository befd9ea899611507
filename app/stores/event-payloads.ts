import { isRecord } from "../domain/is-record.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import { DamagedPayloadError, type PayloadRef, type PayloadStore } from "./payload-store.ts";

/** A payload that exists but cannot be read. */
export interface PayloadDamage {
  ref: PayloadRef;
  /** Every payload of its block has the same fate. False: this one alone, which is not what its row says. */
  isWholeBlock: boolean;
}

/** A payload store that can read events. */
export interface EventPayloads extends PayloadStore {
  /**
   * Reads an event. Null: retention has deleted it, or a deletion has erased it.
   * @throws {DamagedPayloadError} also when it is not an event
   */
  readEvent(ref: PayloadRef): Promise<StoredEvent | null>;
}

/** The payload store that knows what an event is. `onDamage` is called with each damage that a read meets, as often as it does. */
export function openEventPayloads(
  payloads: PayloadStore,
  onDamage: (damage: PayloadDamage) => void = () => {},
): EventPayloads {
  async function read(ref: PayloadRef): Promise<Uint8Array | null> {
    try {
      return await payloads.read(ref);
    } catch (error) {
      if (error instanceof DamagedPayloadError) onDamage({ ref, isWholeBlock: true });
      throw error;
    }
  }
  return {
    append: (parts, at) => payloads.append(parts, at),
    listFiles: () => payloads.listFiles(),
    readLog: (fileId, fromOffset) => payloads.readLog(fileId, fromOffset),
    seal: () => payloads.seal(),
    erase: (fileId, decide, options) => payloads.erase(fileId, decide, options),
    rewrite: (fileId, decide, options) => payloads.rewrite(fileId, decide, options),
    addEntries: (fileId, describe, options) => payloads.addEntries(fileId, describe, options),
    dropBefore: (cutoffs) => payloads.dropBefore(cutoffs),
    bytesOnDisk: () => payloads.bytesOnDisk(),
    close: () => payloads.close(),
    read,
    async readEvent(ref) {
      const payload = await read(ref);
      if (payload === null || payload.length === 0) return null;
      const stored = parseStoredEvent(payload);
      if (stored !== null) return stored;
      onDamage({ ref, isWholeBlock: false });
      throw new DamagedPayloadError("it is not an event");
    },
  };
}

/** Null when the bytes are not an event. What is in the event is what was written: the checksum of its block says so. */
function parseStoredEvent(payload: Uint8Array): StoredEvent | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(payload));
    return isRecord(value) && isRecord(value.event) ? (value as unknown as StoredEvent) : null;
  } catch {
    return null;
  }
}
