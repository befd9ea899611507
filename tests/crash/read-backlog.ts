/** Accepted records that some store has not applied yet, as the server's metrics say. */
export async function readBacklog({ url }: { url: string }): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^culprit_journal_backlog_records (\d+)/m.exec(metrics)?.[1]);
}
