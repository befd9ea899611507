/** The result of a form of the page. `field` says where the message belongs. */
export type NotificationResult =
  | {
      ok: true;
      message: string;
      /** A test that was sent and did not arrive: what was asked for is done, and says something bad. */
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
