import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PayloadFolder } from "../payload-store.contract.ts";
import type { PayloadStore } from "../payload-store.ts";
import { openPayloadFiles } from "./open-payload-files.ts";

export interface PayloadFileFolder extends PayloadFolder {
  readonly dir: string;
  open(options?: { maxFileBytes?: number; maxCachedBytes?: number }): Promise<PayloadStore>;
}

/** For tests: a temporary folder, deleted when disposed of. */
export async function createPayloadFileFolder(): Promise<PayloadFileFolder> {
  const dir = await mkdtemp(join(tmpdir(), "culprit-payloads-"));
  const stores: PayloadStore[] = [];
  return {
    dir,
    async open(options) {
      const store = await openPayloadFiles({ dir, ...options });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
