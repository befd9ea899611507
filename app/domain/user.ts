/** Someone who signs in. */
export interface User {
  id: number;
  email: string;
  name: string;
  role: "owner" | "member";
  /** Milliseconds since 1970. */
  createdAt: number;
}
