/** The result of one attempt. Texts are for people, bounded, and hold no secret. */
export type SendResult =
  | { ok: true; answer: string }
  | {
      ok: false;
      reason: string;
      /** No later attempt can succeed: this receiver will never take this message. */
      isPermanent: boolean;
      /** How long the receiver asked to wait; null: it did not. */
      retryAfterMs: number | null;
    };
