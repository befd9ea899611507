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

/** Presses Undo of a page: what the form with this `intent` holds is posted to the page's own address. */
export async function pressUndo(visitor: Visitor, { html, url }: Page, intent: string): Promise<Page> {
  const form = html.split("</form>").find((each) => each.includes(`value="${intent}"`));
  if (form === undefined) throw new Error(`the page has no form of ${intent}`);
  const fields = [...form.slice(form.lastIndexOf("<form")).matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const asked = new URLSearchParams({ intent });
  for (const [, name = "", value = ""] of fields) asked.append(name, value);
  const { pathname, search } = new URL(url);
  return visitor.post(pathname + search, asked);
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
    // As a link on a page of the server.
    open: async (path) =>
      toPage(await fetch(server.url + path, { headers: { cookie, accept: "text/html", referer: `${server.url}/` } })),
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
