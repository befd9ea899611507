import { getJson, send } from "./api.ts";
import type { TestServer } from "./start-server.ts";

/** A project for one test, so that what it counts is its own. */
export interface MadeProject {
  id: string;
  slug: string;
  /** Of its only key. */
  dsn: string;
  keyId: string;
}

/** By the web API. `rateLimit` is of its key, in items per seconds. */
export async function makeProject(
  server: TestServer,
  slug: string,
  { rateLimit }: { rateLimit?: { count: number; window: number } } = {},
): Promise<MadeProject> {
  const made = await send(server, "POST", "/organizations/default/projects/", { name: slug, slug });
  if (made.status !== 201) throw new Error(`making ${slug} answered ${made.status}: ${await made.text()}`);
  const { id } = (await made.json()) as { id: string };
  const keys = await getJson<Array<{ id: string; dsn: { public: string } }>>(server, `/projects/default/${slug}/keys/`);
  const key = keys[0] ?? (await makeKey(server, slug));
  if (rateLimit) await send(server, "PUT", `/projects/default/${slug}/keys/${key.id}/`, { rateLimit });
  return { id, slug, dsn: key.dsn.public.replace("localhost", "127.0.0.1"), keyId: key.id };
}

async function makeKey(server: TestServer, slug: string): Promise<{ id: string; dsn: { public: string } }> {
  const made = await send(server, "POST", `/projects/default/${slug}/keys/`, { name: "Default" });
  return (await made.json()) as { id: string; dsn: { public: string } };
}
