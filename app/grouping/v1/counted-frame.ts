/** What of one frame counts, cleaned. A part that does not count is null; at least one does. */
export interface CountedFrame {
  /** Index in the frames of the event. */
  index: number;
  module: string | null;
  filename: string | null;
  functionName: string | null;
  contextLine: string | null;
  /** Of machine code without a name: `libpay.so+0x1c40`. */
  address: string | null;
  key: string;
}
