import type { ChannelKind, ChannelResults, ChannelValues, ChannelWithSecrets } from "../../domain/channels/channel.ts";
import type { Scope } from "../../domain/scope.ts";

export interface NewChannel {
  kind: ChannelKind;
  name: string;
  settings: ChannelValues;
  secrets: ChannelValues;
  /** Null: all projects. */
  projectIds: readonly number[] | null;
  at: number;
}

/** A change of a channel. Given fields replace the present ones. */
export interface ChannelChange {
  channelId: number;
  name?: string;
  settings?: ChannelValues;
  secrets?: ChannelValues;
  projectIds?: readonly number[] | null;
}

/** A channel with the results of the messages to it, over the projects of the scope. */
export type ListedChannel = ChannelWithSecrets & ChannelResults;

export type SaveChannelResult =
  | { ok: true; channel: ChannelWithSecrets }
  | { ok: false; reason: "gone" | "name-taken" | "full" };

/**
 * Places of the organization that messages go to. A scope has those that serve all projects, and those that serve one of its own.
 * Values of secrets stay in the server.
 */
export interface ChannelStore {
  /** The channels by name. */
  listChannels(scope: Scope): Promise<ListedChannel[]>;
  getChannel(scope: Scope, channelId: number): Promise<ChannelWithSecrets | null>;
  createChannel(scope: Scope, channel: NewChannel): Promise<SaveChannelResult>;
  /** Changes a channel. Its waiting messages become due at once. Permissions are checked elsewhere, by `mayManage`. */
  changeChannel(scope: Scope, change: ChannelChange & { at: number }): Promise<SaveChannelResult>;
  /** Deletes a channel with its waiting messages and dead letters. */
  deleteChannel(scope: Scope, channelId: number): Promise<boolean>;
}
