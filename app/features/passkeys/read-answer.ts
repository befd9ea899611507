import type { AuthenticationResponseJSON } from "@simplewebauthn/browser";
import { z } from "zod";

/** The longest answer. Usual answers have some 2,000 characters. */
const MAX_ANSWER = 12_000;

/** The parts that are looked up, compared or stored as they came. The library checks the rest. */
const answerSchema = z.looseObject({
  id: z.string(),
  response: z.looseObject({
    userHandle: z.string().optional(),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});

/** Reads an answer, with only these parts checked. Null: it is no answer of a browser. */
export function readAnswer(answer: string): AuthenticationResponseJSON | null {
  if (answer.length > MAX_ANSWER) return null;
  try {
    const { data = null } = answerSchema.safeParse(JSON.parse(answer));
    return data as AuthenticationResponseJSON | null;
  } catch {
    return null;
  }
}
