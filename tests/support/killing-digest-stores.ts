import { existsSync, writeFileSync } from "node:fs";
import type { DigestThreadStores, MapThreadStores } from "../../app/digest/digest-thread.ts";
import {
  type DigestStoresOptions,
  openMapStores as openRealMapStores,
  openDigestStores as openRealStores,
} from "../../app/server/open-digest-stores.ts";

/** What kills the digest thread when an event holds it. */
export const KILLING_TEXT = "KillsTheThread";

export const KILLING_STORES_MODULE = import.meta.url;

/** The real stores of the digest thread, which ends as by a crash when one is given a killing event. */
export async function openDigestStores(options: DigestStoresOptions): Promise<DigestThreadStores> {
  const stores = await openRealStores(options);
  const { payloads } = stores;
  return {
    ...stores,
    payloads: {
      append: async (batch, at) => {
        // Within a worker this ends the thread, not the process.
        if (batch.some((payload) => Buffer.from(payload).includes(KILLING_TEXT))) process.exit(9);
        return payloads.append(batch, at);
      },
      listFiles: () => payloads.listFiles(),
      readLog: (fileId, fromOffset) => payloads.readLog(fileId, fromOffset),
      seal: () => payloads.seal(),
      rewrite: (...args) => payloads.rewrite(...args),
      addEntries: (...args) => payloads.addEntries(...args),
      erase: (fileId, decide, eraseOptions) => payloads.erase(fileId, decide, eraseOptions),
      read: (ref) => payloads.read(ref),
      dropBefore: (cutoffs) => payloads.dropBefore(cutoffs),
      bytesOnDisk: () => payloads.bytesOnDisk(),
      close: () => payloads.close(),
    },
  };
}

/** Ends the first map thread that there is for the folder, as by a crash. */
export async function openMapStores(options: DigestStoresOptions): Promise<MapThreadStores> {
  const mark = `${options.payloadDir}.map-thread-died`;
  if (!existsSync(mark)) {
    writeFileSync(mark, "");
    process.exit(9);
  }
  return openRealMapStores(options);
}
