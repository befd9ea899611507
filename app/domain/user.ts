/** Someone who signs in. */
export interface User {
  id: number;
  email: string;
  name: string;
  role: "owner" | "member";
  /** The projects that this person is limited to; null: all of the organization. */
  projectIds: readonly number[] | null;
  /** Milliseconds since 1970. */
  createdAt: number;
}
