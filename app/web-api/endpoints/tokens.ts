import { z } from "zod";
import { answer, toIso, toIsoOrNull } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { instant } from "../shapes.ts";

const tokenAnswer = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  tokenLastCharacters: z.string(),
  dateCreated: instant,
  dateLastUsed: instant.nullable(),
  projectLastUsedId: z.null(),
});

export const TOKEN_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/org-auth-tokens/",
    // As on the page of tokens: whoever may make them sees all of them.
    scopes: ["org:write"],
    summary: "Tokens of the organization that are not revoked, those that were used last first. Never their secrets.",
    answers: { 200: { what: "Tokens", json: z.array(tokenAnswer) } },
    async handle({ workspace }) {
      const tokens = (await workspace.state.tokens.listTokens()).filter(({ kind }) => kind === "organization");
      const sorted = tokens.toSorted((one, other) => (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0));
      return answer(
        sorted.map(({ id, name, scopes, hint, createdAt, lastUsedAt }) => ({
          id: String(id),
          name,
          scopes,
          tokenLastCharacters: hint,
          dateCreated: toIso(createdAt),
          dateLastUsed: toIsoOrNull(lastUsedAt),
          projectLastUsedId: null,
        })),
      );
    },
  }),
];
