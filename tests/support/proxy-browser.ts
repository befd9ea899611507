import { request } from "node:http";

export interface ProxiedAnswer {
  status: number;
  /** Path and query, or the whole address of another site; null: nowhere. */
  to: string | null;
  html: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Headers in their order, so that one may be there twice. */
export type HeaderPairs = ReadonlyArray<readonly [name: string, value: string]>;

/**
 * A browser whose requests come over a connection from a loopback address, as those of a proxy do, with the headers that the proxy adds.
 * It keeps cookies, and follows redirects of the server.
 */
export function openProxiedBrowser(site: string, { from, adds = [] }: { from: string; adds?: HeaderPairs }) {
  const jar = new Map<string, string>();
  let added = adds;
  const ask = (path: string, more: HeaderPairs = [], fields?: Record<string, string>): Promise<ProxiedAnswer> =>
    new Promise((resolve, reject) => {
      const body = fields && new URLSearchParams(fields).toString();
      const pairs: HeaderPairs = [
        ["Host", new URL(site).host],
        ["Accept", "text/html"],
        // As a link on a page of the site.
        ["Referer", `${site}/`],
        ["Cookie", [...jar].map((pair) => pair.join("=")).join("; ")],
        ...(body === undefined
          ? []
          : ([
              ["Content-Type", "application/x-www-form-urlencoded"],
              ["Content-Length", String(Buffer.byteLength(body))],
            ] as const)),
        ...(body === undefined || more.some(([name]) => name === "Origin") ? [] : ([["Origin", site]] as const)),
        ...added,
        ...more,
      ];
      const method = body === undefined ? "GET" : "POST";
      const options = { method, localAddress: from, headers: pairs.flat(), agent: false };
      const asked = request(site + path, options, (answer) => {
        for (const set of answer.headers["set-cookie"] ?? []) {
          const [, key = "", text = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          if (text === "") jar.delete(key);
          else jar.set(key, text);
        }
        let html = "";
        answer.setEncoding("utf8").on("data", (part) => {
          html += part;
        });
        answer.on("error", reject).on("end", () => {
          const to = answer.headers.location?.replace(site, "") ?? null;
          resolve({ status: answer.statusCode ?? 0, to, html, headers: answer.headers });
        });
      });
      asked.on("error", reject).end(body);
    });
  const open = async (path: string, more: HeaderPairs = []) => {
    let answer = await ask(path, more);
    for (let hop = 0; answer.to?.startsWith("/") && hop < 8; hop++) answer = await ask(answer.to, more);
    return answer;
  };
  return {
    ask,
    /** Follows redirects. */
    open,
    post: (path: string, fields: Record<string, string>, more: HeaderPairs = []) => ask(path, more, fields),
    /** From now on the proxy adds these. */
    setAdded(pairs: HeaderPairs) {
      added = pairs;
    },
    cookies: jar,
  };
}
