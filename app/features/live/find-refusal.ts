/** Why the server refuses what a page asks for. `asked`: another page has to be seen first, as the one that sets up a second factor. */
export type Refusal = "signed-out" | "asked";

const TIMEOUT_MS = 3_000;

/** Null: the server does not refuse, or does not answer. An `EventSource` is not told which it was. */
export async function findRefusal(): Promise<Refusal | null> {
  const answer = await fetch("/find?text=", {
    redirect: "manual",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  if (answer?.status === 401) return "signed-out";
  return answer?.type === "opaqueredirect" ? "asked" : null;
}
