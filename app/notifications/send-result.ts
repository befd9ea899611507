/** The result of one attempt. Texts are for people, bounded, and hold no secret. */
export type SendResult =
  | {
      ok: true;
      answer: string;
      /** How the other side names the message that it made, for changing it later. Absent: it gives no name. */
      ref?: string;
    }
  | {
      ok: false;
      reason: string;
      /** No later attempt can succeed: this receiver will never take this message. */
      isPermanent: boolean;
      /** How long the receiver asked to wait; null: it did not. */
      retryAfterMs: number | null;
    };
