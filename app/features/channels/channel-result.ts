/** The result of a form about channels. `field`: the field to which the message belongs; null: the whole page. */
export type ChannelResult =
  | {
      ok: true;
      message: string;
      /** Null: the channel was deleted. */
      channelId: number | null;
      /** True if a test was sent and did not arrive. The request succeeded, but the message says something bad. */
      isBad?: boolean;
      /** The signing secret. It is shown only this once. */
      secret?: string;
    }
  | ChannelRefusal;

export interface ChannelRefusal {
  ok: false;
  status: 400 | 403 | 404 | 409;
  field: string | null;
  message: string;
  /** The typed values, without secrets. */
  typed?: Record<string, string>;
}

export function refuseChannel(status: ChannelRefusal["status"], field: string | null, message: string): ChannelRefusal {
  return { ok: false, status, field, message };
}

export const CHANNEL_GONE = refuseChannel(404, null, "This channel does not exist any more.");
