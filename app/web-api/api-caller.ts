import type { ApiScope, ApiToken } from "../domain/api-token.ts";
import type { User } from "../domain/user.ts";

/** Who calls the web API, and what they may do. */
export interface ApiCaller {
  /** `session`: somebody who is signed in; `operator`: the token of the configuration; `anonymous`: of a public endpoint. */
  kind: ApiToken["kind"] | "session" | "operator" | "anonymous";
  /** Whom the caller stands for; null for an organization's token. */
  user: User | null;
  scopes: readonly ApiScope[];
  /** What uploads are said to come from; null for people and the operator. */
  tokenName: string | null;
}
