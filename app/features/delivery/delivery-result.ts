/** The result of a form about messages that did not arrive. */
export type DeliveryResult =
  | {
      ok: true;
      message: string;
      /** The messages that were dropped and that an undo restores. */
      dropped?: readonly number[];
    }
  | { ok: false; status: 400 | 403 | 404; field: "letter" | "fallback" | "intent"; message: string };
