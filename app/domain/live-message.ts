/** Messages to open pages, sent after the commit; those of the digest at most a few times a second. */
export type LiveMessage =
  | {
      kind: "issues";
      /** Milliseconds since 1970. */
      at: number;
      changes: Array<{ issueId: number; projectId: number; transition: "new" | "regressed" | null; events: number }>;
    }
  /** Somebody did something about these issues, or a job: each has a new entry in its activity. */
  | { kind: "activity"; at: number; changes: IssueOfProject[] }
  | { kind: "first-event"; at: number; projectId: number; issueId: number; eventId: string };

export interface IssueOfProject {
  issueId: number;
  projectId: number;
}

export interface LiveFeed {
  publish(message: LiveMessage): void;
  /** `at` of the newest message. Null: there has been none since the process started. */
  lastPublishedAt(): number | null;
  /** Gives the function that ends the subscription. A listener that throws is logged and does not stop the others. */
  subscribe(listener: (message: LiveMessage) => void): () => void;
}
