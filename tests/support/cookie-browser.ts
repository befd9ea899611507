export interface CookieAnswer {
  status: number;
  url: string;
  to: string | null;
  html: string;
}

/** A browser without JavaScript that keeps the cookies of each site, and follows redirects where it is told to. `from`: its address. */
export function openCookieBrowser(site: string, { from, cookie = "" }: { from: string; cookie?: string }) {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const [name = "", value = ""] = cookie.split(/=(.*)/s);
  if (name) jarOf(site).set(name, value);
  const ask = async (url: string, fields?: Record<string, string>): Promise<CookieAnswer> => {
    const jar = jarOf(url);
    const answer = await fetch(url, {
      method: fields ? "POST" : "GET",
      redirect: "manual",
      headers: {
        accept: "text/html",
        "x-forwarded-for": from,
        cookie: [...jar].map((pair) => pair.join("=")).join("; "),
        ...(fields && { origin: site }),
        // As a link on a page of the site.
        ...(url.startsWith(`${site}/`) && { referer: `${site}/` }),
      },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, key = "", text = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (text === "") jar.delete(key);
      else jar.set(key, text);
    }
    const location = answer.headers.get("location");
    return { status: answer.status, url, to: location && new URL(location, url).href, html: await answer.text() };
  };
  const follow = async (start: string, until: (url: string) => boolean = () => false): Promise<CookieAnswer> => {
    let answer = await ask(start);
    for (let hop = 0; answer.to !== null && !until(answer.to) && hop < 12; hop++) answer = await ask(answer.to);
    return answer;
  };
  return {
    ask,
    follow,
    open: (path: string) => ask(site + path),
    post: (path: string, fields: Record<string, string>) => ask(site + path, fields),
  };
}
