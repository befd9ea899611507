import { MIB } from "../../domain/bytes.ts";
import { ALWAYS_BULK, defineSignal } from "../signal.ts";
import { storeBytes } from "../stored-item.ts";

/** Items of unknown types. */
export const UNKNOWN = defineSignal({
  itemTypes: [],
  category: "unknown",
  group: "unknown",
  // Ours: enough to keep items of newer SDKs until we know the type.
  limits: { maxItemBytes: MIB, maxTotalBytes: 10 * MIB, maxCount: 100 },
  isBulk: ALWAYS_BULK,
  read: storeBytes(),
});
