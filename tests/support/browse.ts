import type { TestServer } from "./start-server.ts";

export interface Page {
  status: number;
  url: string;
  html: string;
}

/** A signed-in person without JavaScript: what a page says before any script has run. */
export interface Visitor {
  cookie: string;
  open(path: string): Promise<Page>;
  post(path: string, fields: Record<string, string> | URLSearchParams): Promise<Page>;
}

export async function signIn(server: Pick<TestServer, "url" | "owner">): Promise<Visitor> {
  const response = await fetch(`${server.url}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: server.url },
    body: new URLSearchParams(server.owner),
  });
  const cookie = response.headers.get("set-cookie")?.split(";")[0];
  if (response.status !== 302 || !cookie) throw new Error(`signing in answered ${response.status}`);
  const toPage = async (answer: Response): Promise<Page> => ({
    status: answer.status,
    url: answer.url,
    html: await answer.text(),
  });
  return {
    cookie,
    open: async (path) => toPage(await fetch(server.url + path, { headers: { cookie, accept: "text/html" } })),
    post: async (path, fields) =>
      toPage(
        await fetch(server.url + path, {
          method: "POST",
          headers: { cookie, origin: server.url, accept: "text/html" },
          body: new URLSearchParams(fields),
        }),
      ),
  };
}
