import { MIB } from "../../domain/bytes.ts";

/** Bytes of an OTLP request after decompression; ours. A batch of 8,192 spans, the most that collectors send, has 5 to 8 MiB. */
export const MAX_OTLP_BYTES = 16 * MIB;
