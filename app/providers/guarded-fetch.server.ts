import { ProviderProblem } from "../domain/people/provider-client.ts";
import { describeProblem, requestPublic } from "../outbound/request-public.server.ts";

const TIMEOUT_MS = 10_000;
/** The keys of a large provider take 20 KB, and a person's groups rarely more. */
const MAX_BODY_BYTES = 1024 * 1024;

export interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** Sends one request to a provider: bounded in time and size, without following redirects. */
export type GuardedFetch = (url: string, options: FetchOptions) => Promise<Response>;

/** `allowsPrivate` false: addresses that are not of the public internet, and plain http, are refused. */
export function createGuardedFetch({ allowsPrivate }: { allowsPrivate: boolean }): GuardedFetch {
  return async (text, { method, headers, body }) => {
    const url = URL.parse(text);
    if (!url) throw new ProviderProblem("The provider names an address that is no URL.");
    if (!allowsPrivate && url.protocol !== "https:")
      throw new ProviderProblem(`${url.host} is asked over https only. ALLOW_PRIVATE_PROVIDERS=1 changes that.`, {
        isInternal: true,
      });
    if (method !== "GET" && method !== "POST") throw new ProviderProblem(`No ${method} is sent to providers.`);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await requestPublic(url, {
        method,
        headers: { ...headers, "accept-encoding": "identity" },
        ...(body !== undefined && { body }),
        ...(allowsPrivate && { isPublic: () => true }),
        signal,
      });
      const parts: Buffer[] = [];
      let length = 0;
      for await (const part of response as AsyncIterable<Buffer>) {
        length += part.length;
        if (length > MAX_BODY_BYTES)
          throw new ProviderProblem(`${url.host} answers more than 1 MiB.`, { isInternal: true });
        parts.push(part);
      }
      const kept = Object.entries(response.headers).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, value] as [string, string]] : [],
      );
      const status = response.statusCode ?? 502;
      const hasNoBody = status === 204 || status === 304;
      return new Response(hasNoBody ? null : Buffer.concat(parts, length), { status, headers: kept });
    } catch (error) {
      if (error instanceof ProviderProblem) throw error;
      throw new ProviderProblem(`${url.host} cannot be asked: ${describeProblem(error, signal).reason}.`, {
        isInternal: true,
      });
    }
  };
}
