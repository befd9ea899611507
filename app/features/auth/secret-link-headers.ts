interface SentHeaders {
  loaderHeaders: Headers;
  actionHeaders: Headers;
  errorHeaders: Headers | undefined;
}

/**
 * Headers for a page whose address is a secret: no cache and no index keeps it, and no other site learns its address. Headers of
 * the loader, the action or a refusal, like `Retry-After`, are sent with the page, too.
 */
export function toSecretLinkHeaders(
  { loaderHeaders, actionHeaders, errorHeaders }: SentHeaders,
  {
    mayBeCached = false,
    referrerPolicy = "no-referrer",
  }: {
    /** Keeps a `Cache-Control` header of the loader. */
    mayBeCached?: boolean;
    /** `same-origin` if a form has to say where it came from. */
    referrerPolicy?: "no-referrer" | "same-origin";
  } = {},
): Headers {
  const all = new Headers(errorHeaders ?? loaderHeaders);
  if (!errorHeaders) for (const [name, value] of actionHeaders) all.append(name, value);
  if (!mayBeCached || !all.has("cache-control")) all.set("cache-control", "no-store");
  all.set("referrer-policy", referrerPolicy);
  all.set("x-robots-tag", "noindex, nofollow");
  return all;
}
