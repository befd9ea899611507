export const USER_FIELDS = ["id", "email", "address"] as const;
export type UserField = (typeof USER_FIELDS)[number];

/** One user in a request: by `user.id`, `user.email` or the IP address. */
export interface NamedUser {
  field: UserField;
  value: string;
}

/** The number of a project's rows that belong to one user. */
export interface UserDataCount {
  projectId: number;
  /** Error events. */
  events: number;
  /** Everything else: transactions, sessions, feedback, logs, replays and what belongs to them. */
  items: number;
}

/** The data of a user, as far as it was found. */
export interface UserData {
  projects: UserDataCount[];
  /** Rows whose payloads were to be looked at, and how many were. Fewer than all: there may be more of the user. */
  readRows: number;
  totalRows: number;
}
