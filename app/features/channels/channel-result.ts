/** The result of a form about channels. `field`: where the message belongs; null: the whole page. */
export type ChannelResult =
  | {
      ok: true;
      message: string;
      /** Null: it was deleted. */
      channelId: number | null;
      /** A test that was sent and did not arrive: what was asked for is done, and says something bad. */
      isBad?: boolean;
      /** The secret that signs, the only time that it is shown. */
      secret?: string;
    }
  | ChannelRefusal;

export interface ChannelRefusal {
  ok: false;
  status: 400 | 403 | 404 | 409;
  field: string | null;
  message: string;
  /** What was typed, without secrets. */
  typed?: Record<string, string>;
}

export function refuseChannel(status: ChannelRefusal["status"], field: string | null, message: string): ChannelRefusal {
  return { ok: false, status, field, message };
}

export const CHANNEL_GONE = refuseChannel(404, null, "This channel does not exist any more.");
