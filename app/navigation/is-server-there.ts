/** Whether the server answers, and is ready. */
export async function isServerThere(): Promise<boolean> {
  const answer = await fetch("/readyz").catch(() => null);
  return answer?.ok === true;
}
