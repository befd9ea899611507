import { MAX_ORGANIZATION_NAME } from "../../domain/people/organization-name.ts";
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from "./credential-limits.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/** The page loads nothing from elsewhere, and runs no script. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Fields of forms before sign-in, in the order in which people see them. Other fields are not sent back. */
const FIELDS: ReadonlyArray<{
  name: string;
  /** Null: the field is hidden. */
  label: string | null;
  attributes: string;
  maxLength: number;
  isOptional?: boolean;
}> = [
  { name: "code", label: "Code", attributes: 'autocomplete="off" spellcheck="false"', maxLength: 64 },
  { name: "name", label: "Name", attributes: 'autocomplete="name"', maxLength: MAX_NAME_LENGTH },
  { name: "email", label: "E-mail", attributes: 'type="email" autocomplete="username"', maxLength: MAX_EMAIL_LENGTH },
  {
    name: "organization",
    label: "Organization (optional)",
    attributes: 'autocomplete="organization"',
    maxLength: MAX_ORGANIZATION_NAME,
    isOptional: true,
  },
  { name: "project", label: "Project name", attributes: 'autocomplete="off"', maxLength: 64 },
  { name: "platform", label: null, attributes: 'type="hidden"', maxLength: 64 },
];

/**
 * A page for a temporary refusal, as the answer to the form at `url`. Strangers can request it as often as they like, so it is
 * plain text: rendering the form again would take far more of the main thread. With script, people stay on their form and read
 * `message` there.
 */
export function answerWithWaitPage({
  message,
  url,
  typed,
  headers,
}: {
  message: string;
  /** The URL of the request. */
  url: string;
  /** The form that was sent. The page asks for passwords again and keeps the other values. Null: there was none. */
  typed: FormData | null;
  /** They include `retry-after`. */
  headers: Headers;
}): Response {
  const { pathname, search } = new URL(url);
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("cache-control", "no-store");
  headers.set("content-security-policy", POLICY);
  return new Response(renderWaitPage({ message, back: pathname + search, typed }), { status: 429, headers });
}

function renderAgain(back: string, typed: FormData | null): string {
  if (typed === null) return `<p><a href="${escapeHtml(back)}">Try again</a></p>`;
  const fields = FIELDS.map(({ name, label, attributes, maxLength, isOptional = label === null }) => {
    const text = typed.get(name);
    if (typeof text !== "string") return "";
    const value = escapeHtml(text.slice(0, maxLength));
    const input = `<input name="${name}" ${attributes} maxlength="${maxLength}" value="${value}"${isOptional ? "" : " required"}>`;
    return label === null ? input : `<label>${label} ${input}</label>`;
  });
  // A password is never in a page, not even in its own answer.
  const autocomplete = /^\/+sign-in/i.test(back) ? "current-password" : "new-password";
  const password = typed.has("password")
    ? `<label>Password <input name="password" type="password" autocomplete="${autocomplete}" required></label>`
    : "";
  return `<form method="post" action="${escapeHtml(back)}">${fields.join("")}${password}<button>Try again</button></form>`;
}

function renderWaitPage({ message, back, typed }: { message: string; back: string; typed: FormData | null }): string {
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
form, label { display: grid; gap: 1rem }
label { gap: 0.375rem; font-weight: 600; font-size: 0.875rem }
input, button { box-sizing: border-box; width: 100%; height: 2.5rem; padding: 0 0.75rem; border: 1px solid light-dark(#8a8d84, #6d726a);
  border-radius: 6px; background: transparent; color: inherit; font: inherit; font-size: 1rem; font-weight: 400 }
button { cursor: pointer; font-weight: 600 }
:focus-visible { outline: 2px solid light-dark(#4d6b00, #d2f53c); outline-offset: 2px }
</style>
</head>
<body>
<h1>Try again later</h1>
<main><p role="alert">${escapeHtml(message)}</p>${renderAgain(back, typed)}</main>
</body>
</html>
`;
}
