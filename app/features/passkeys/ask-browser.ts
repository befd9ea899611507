/** The message when the browser or the server refuses. */
export type PasskeyTrouble = { field: string | null; message: string };

export type PasskeyAnswer = { ok: true; answer: string } | { ok: false; trouble: PasskeyTrouble | null };

type Library = typeof import("@simplewebauthn/browser");

/** The latest question. The browser keeps only one challenge, so an earlier question cannot be answered any more. */
let newest = new AbortController();

/** Whether this browser supports passkeys. */
export function knowsPasskeys(): boolean {
  return typeof window !== "undefined" && typeof window.PublicKeyCredential === "function";
}

/** Whether the browser can suggest passkeys in the field of the address. */
export async function suggestsPasskeys(): Promise<boolean> {
  return knowsPasskeys() && (await window.PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

/**
 * Gets a challenge from the server, and asks the browser for the passkey that answers it. It ends the question before. `trouble` null: the
 * person need not know.
 */
export async function askForPasskey(
  purpose: "sign-in" | "code",
  { isSuggestion = false }: { isSuggestion?: boolean } = {},
): Promise<PasskeyAnswer> {
  return await run(new URLSearchParams({ purpose }), ({ startAuthentication }, options) =>
    startAuthentication({ optionsJSON: options as never, useBrowserAutofill: isSuggestion }),
  );
}

/** Asks the device to make a new passkey. `confirm`: the password. */
export async function makePasskey(confirm: string): Promise<PasskeyAnswer> {
  return await run(new URLSearchParams({ purpose: "add", confirm }), ({ startRegistration }, options) =>
    startRegistration({ optionsJSON: options as never }),
  );
}

async function run(
  body: URLSearchParams,
  ceremony: (library: Library, options: unknown) => Promise<object>,
): Promise<PasskeyAnswer> {
  newest.abort();
  newest = new AbortController();
  const { signal } = newest;
  try {
    const begun = await fetch("/sign-in/passkey", { method: "POST", body, signal });
    const answer: unknown = await begun.json();
    if (!begun.ok) return { ok: false, trouble: answer as PasskeyTrouble };
    // The library is loaded with the first passkey.
    const library = await import("@simplewebauthn/browser");
    signal.throwIfAborted();
    const given = await ceremony(library, answer);
    signal.throwIfAborted();
    return { ok: true, answer: JSON.stringify(given) };
  } catch (error) {
    return { ok: false, trouble: explain(error) };
  }
}

function explain(error: unknown): PasskeyTrouble | null {
  const { name, code } = error instanceof Error ? (error as Error & { code?: string }) : { name: "", code: "" };
  // Another request for a passkey has replaced this one.
  if (code === "ERROR_CEREMONY_ABORTED" || name === "AbortError") return null;
  const say = (message: string) => ({ field: null, message });
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED" || name === "InvalidStateError")
    return say("This device has a passkey for your account already.");
  if (name === "NotAllowedError")
    return say("The passkey was not used: it was cancelled, or it took too long. Try again.");
  if (name === "SecurityError") return say("Your browser makes no passkeys for this address.");
  return say("It did not work. Check that you are online, and try again.");
}
