/** The cleaned parts of a frame that count. A part that does not count is null; at least one part counts. */
export interface CountedFrame {
  /** Index in the frames of the event. */
  index: number;
  module: string | null;
  filename: string | null;
  functionName: string | null;
  contextLine: string | null;
  /** For machine code without a name: `libpay.so+0x1c40`. */
  address: string | null;
  key: string;
}
