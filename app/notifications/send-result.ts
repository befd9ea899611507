/** The result of one attempt. Texts are for people, bounded, and hold no secret. */
export type SendResult =
  | {
      ok: true;
      answer: string;
      /** The name that the other side gave to the message, with which it can be changed later. Absent: it gave none. */
      ref?: string;
    }
  | {
      ok: false;
      reason: string;
      /** True if no later attempt can succeed, because this receiver will never take this message. */
      isPermanent: boolean;
      /** The pause for which the receiver asked. Null: it asked for none. */
      retryAfterMs: number | null;
    };
