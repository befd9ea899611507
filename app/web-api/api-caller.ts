import type { ApiScope, ApiToken } from "../domain/api-token.ts";
import type { User } from "../domain/user.ts";

/** The caller of the web API, and the caller's rights. */
export interface ApiCaller {
  /** `session`: a signed-in person. `operator`: the token of the configuration. `anonymous`: the caller of a public endpoint. */
  kind: ApiToken["kind"] | "session" | "operator" | "anonymous";
  /** The user for whom the caller acts. Null: a token of the organization. */
  user: User | null;
  scopes: readonly ApiScope[];
  /** The name of the token, which uploads keep as their origin. Null: a person or the operator. */
  tokenName: string | null;
  /** The id of the token. Null: a person or the operator. */
  tokenId: number | null;
}
