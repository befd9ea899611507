import type { Journal } from "../journal/journal.ts";
import type { EnvelopeAcceptor } from "./accept-envelope.ts";
import type { DecodeBody } from "./decode-body.ts";
import type { IngestLimits } from "./ingest-limits.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import type { KeyRing } from "./key-ring.ts";
import type { BodyReceiver } from "./receive-body.ts";

/** What the endpoints of ingest are made of. */
export interface IngestParts {
  keys: KeyRing;
  limits: IngestLimits;
  /** Milliseconds since 1970. */
  now: () => number;
  /** 32 lower-case hex characters. */
  randomId: () => string;
  metrics: IngestMetrics;
  /** Whether the sender's address is taken from `X-Forwarded-For`. */
  trustProxy: boolean;
  /** The journal that says whether anything can be accepted. */
  journal: Pick<Journal, "refusal">;
  acceptor: EnvelopeAcceptor;
  bodies: BodyReceiver;
  decodeBody: DecodeBody;
}
