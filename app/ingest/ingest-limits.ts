import { KIB, MIB } from "../domain/bytes.ts";

export interface IngestLimits {
  /** Bytes of a body as it travels, when it is compressed. */
  maxCompressedBytes: number;
  /** Bytes of an envelope after decompression. */
  maxEnvelopeBytes: number;
  /** Bytes that all requests in flight may hold together, compressed and decompressed. */
  maxInFlightBytes: number;
  /** A body may take this long whatever its size; after that it must have come at `minBodyBytesPerSecond`. */
  bodyGraceMs: number;
  minBodyBytesPerSecond: number;
  /** What is still read, and thrown away, of a body that was refused, so that the sender gets to read the answer. */
  maxDrainBytes: number;
}

export const DEFAULT_INGEST_LIMITS: IngestLimits = {
  // What Sentry documents for SDKs: 20 MB compressed, 100 MB decompressed (checked 2026-08).
  maxCompressedBytes: 20 * MIB,
  maxEnvelopeBytes: 100 * MIB,
  // Two of the largest envelopes, compressed and decompressed, and room for thousands of ordinary ones.
  maxInFlightBytes: 256 * MIB,
  bodyGraceMs: 30_000,
  minBodyBytesPerSecond: KIB,
  maxDrainBytes: 8 * MIB,
};
