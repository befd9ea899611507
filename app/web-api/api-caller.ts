import type { ApiScope, ApiToken } from "../domain/api-token.ts";
import type { User } from "../domain/user.ts";

/** The caller of the web API, and the caller's rights. */
export interface ApiCaller {
  /** `session`: somebody who is signed in; `operator`: the token of the configuration; `anonymous`: of a public endpoint. */
  kind: ApiToken["kind"] | "session" | "operator" | "anonymous";
  /** Whom the caller stands for; null for an organization's token. */
  user: User | null;
  scopes: readonly ApiScope[];
  /** The name that uploads get as their origin; null for people and the operator. */
  tokenName: string | null;
  /** Null as above. */
  tokenId: number | null;
}
