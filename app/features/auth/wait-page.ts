const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/** Nothing of it comes from elsewhere, and nothing of it runs. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The page of a refusal that ends by itself, as an answer to the form at `url`. Strangers can ask for it as often as they like, so it is a
 * text: rendering the form again costs far more of the main thread. With script, people stay on their form and read `message` there.
 */
export function answerWithWaitPage({
  message,
  url,
  headers,
}: {
  message: string;
  /** Of the request. */
  url: string;
  /** With `retry-after`. */
  headers: Headers;
}): Response {
  const { pathname, search } = new URL(url);
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("cache-control", "no-store");
  headers.set("content-security-policy", POLICY);
  return new Response(renderWaitPage({ message, back: pathname + search }), { status: 429, headers });
}

function renderWaitPage({ message, back }: { message: string; back: string }): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Try again later · Culprit</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>
:root { color-scheme: light dark; --ink: light-dark(#1b1d1a, #e9ebe6); --line: light-dark(#d6d8d0, #363a35) }
body { box-sizing: border-box; display: grid; min-height: 100dvh; max-width: 26rem; margin: 0 auto; padding: 2.5rem 1rem;
  align-content: center; gap: 1.5rem; background: light-dark(#f4f4f0, #0f110f); color: var(--ink); font: 0.9375rem/1.5 system-ui, sans-serif }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25 }
main { display: grid; gap: 1rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: 8px; background: light-dark(#fff, #171a17) }
p { margin: 0 }
a { color: inherit; text-underline-offset: 3px }
</style>
</head>
<body>
<h1>Try again later</h1>
<main><p role="alert">${escapeHtml(message)}</p><p><a href="${escapeHtml(back)}">Try again</a></p></main>
</body>
</html>
`;
}
