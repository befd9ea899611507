/** Which events go. */
export type EventSelection =
  /** All of issues, the ones that ended in them included. */
  | { kind: "issues"; projectId: number; issueIds: readonly number[] }
  | { kind: "events"; projectId: number; eventIds: readonly string[] };

/** Something that was counted as accepted, and is counted as deleted from now on. */
export interface DeletedItem {
  category: string;
  quantity: number;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

/** An event with what belongs to it. */
export interface SelectedEvent {
  projectId: number;
  /** 32 lower-case hex characters. */
  eventId: string;
  issueId: number;
  /** The event first, then attachments, reports of users and the like. */
  items: DeletedItem[];
}

/** Takes rows out of the event store before their time. */
export interface EventDeletion {
  /** Some events of the selection, at most `limit`; empty when none is left. */
  listSelected(selection: EventSelection, limit: number): Promise<SelectedEvent[]>;
  /** Deletes events with the items that belong to them. Those that are not there are passed over. */
  deleteEvents(events: ReadonlyArray<Pick<SelectedEvent, "projectId" | "eventId">>): Promise<void>;
  /** Deletes all rows of a project, of every table; gives how many there were. */
  deleteProject(projectId: number): Promise<number>;
}
