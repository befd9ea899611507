/** The result of a form of the page. `field`: the field to which the message belongs. */
export type NotificationResult =
  | {
      ok: true;
      message: string;
      /** True if a test was sent and did not arrive. The request succeeded, but the message says something bad. */
      isBad?: boolean;
    }
  | {
      ok: false;
      status: 400 | 404;
      field: "emails" | "channel" | "channels" | "letter";
      message: string;
      /** The typed values. */
      typed?: string;
    };
