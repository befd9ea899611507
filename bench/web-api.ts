/** What the measurements need from a server's web API. */
export interface ApiServer {
  url: string;
  token: string;
}

/** @throws when the answer is not 2xx. */
export async function getJson<Body>(server: ApiServer, path: string): Promise<Body> {
  const response = await fetch(`${server.url}/api/0${path}`, { headers: { authorization: `Bearer ${server.token}` } });
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

/** Ids of the project's issues, those with the most events first, at most a hundred. */
export async function listIssueIds(server: ApiServer): Promise<string[]> {
  const issues = await getJson<Array<{ id: string }>>(
    server,
    "/projects/default/shop/issues/?query=&sort=freq&limit=100&statsPeriod=14d",
  );
  return issues.map(({ id }) => id);
}

/** Ids of the issue's latest events. */
export async function listEventIds(server: ApiServer, issueId: string, limit: number): Promise<string[]> {
  const events = await getJson<Array<{ eventID: string }>>(server, `/issues/${issueId}/events/?limit=${limit}`);
  return events.map(({ eventID }) => eventID);
}
