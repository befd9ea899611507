const TIMEOUT_MS = 3_000;

/**
 * Whether the server refuses what a page asks for: the viewer is signed out, or has to see another page first, like the one that sets up a
 * second factor. An `EventSource` does not learn this. Also false if there is no answer.
 */
export async function isRefused(): Promise<boolean> {
  const answer = await fetch("/find?text=", {
    redirect: "manual",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  return answer?.status === 401 || answer?.type === "opaqueredirect";
}
