import { useFrameData } from "./use-frame-data.ts";

/** Whether this server was started with `SEND_NOTHING`. Then it has no mail, even if mail is set up. */
export function useSendsNothing(): boolean {
  return useFrameData()?.sendsNothing ?? false;
}
