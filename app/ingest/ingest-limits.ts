import { KIB, MIB } from "../domain/bytes.ts";

export interface IngestLimits {
  /** Bytes of a body as it travels, when it is compressed. */
  maxCompressedBytes: number;
  /** Bytes of an envelope after decompression. */
  maxEnvelopeBytes: number;
  /** Bytes that all requests in flight may hold together, compressed and decompressed. */
  maxInFlightBytes: number;
  /** Every body may take this long. After that, it must have arrived at `minBodyBytesPerSecond` or faster. */
  bodyGraceMs: number;
  minBodyBytesPerSecond: number;
  /** The most bytes of a refused body that are still read and thrown away, so that the sender can read the answer. */
  maxDrainBytes: number;
}

export const DEFAULT_INGEST_LIMITS: IngestLimits = {
  // The limits that Sentry documents for SDKs: 20 MB compressed, 100 MB decompressed (checked 2026-08).
  maxCompressedBytes: 20 * MIB,
  maxEnvelopeBytes: 100 * MIB,
  // Room for two of the largest envelopes, compressed and decompressed, and for thousands of ordinary ones.
  maxInFlightBytes: 256 * MIB,
  bodyGraceMs: 30_000,
  minBodyBytesPerSecond: KIB,
  maxDrainBytes: 8 * MIB,
};
