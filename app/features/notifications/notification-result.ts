/** The result of a form of the page. `field` says where the message belongs. */
export type NotificationResult =
  | {
      ok: true;
      message: string;
      /** A test that was sent and did not arrive: what was asked for is done, and says something bad. */
      isBad?: boolean;
      /** The secret of the webhook, the only time that it is shown. */
      secret?: string;
    }
  | {
      ok: false;
      status: 400 | 404;
      field: "emails" | "url" | "form" | "channel" | "letter";
      message: string;
      /** The typed values. */
      typed?: string;
    };
