import { ALWAYS_BULK, defineSignal } from "../signal.ts";
import { storeBytes } from "../stored-item.ts";
import { ATTACHMENT_LIMITS } from "./attachment-limits.ts";

/** An envelope may have the same file twice and mean it: no identity. */
export const ATTACHMENT = defineSignal({
  itemTypes: ["attachment"],
  category: "attachment",
  ...ATTACHMENT_LIMITS,
  dependsOnEvent: true,
  hasEventId: true,
  isBulk: ALWAYS_BULK,
  read: storeBytes(),
});
