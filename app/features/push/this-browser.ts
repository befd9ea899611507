import { useEffect, useState } from "react";

/** Whether this browser can get messages. `ready`: it can, and does if `endpoint` is set. */
export type ThisBrowser =
  | { kind: "unknown" }
  | { kind: "insecure" | "unsupported" | "not-installed" | "denied" }
  | { kind: "ready"; endpoint: string | null };

/** `unknown` until the script runs. */
export function useThisBrowser(): ThisBrowser {
  const [known, setKnown] = useState<ThisBrowser>({ kind: "unknown" });
  useEffect(() => {
    let isOver = false;
    void look()
      .catch((): ThisBrowser => ({ kind: "unsupported" }))
      .then((found) => {
        if (!isOver) setKnown(found);
      });
    return () => {
      isOver = true;
    };
  }, []);
  return known;
}

async function look(): Promise<ThisBrowser> {
  if (!window.isSecureContext) return { kind: "insecure" };
  // Only iPhones and iPads have this property, and they have web push only for pages on the home screen.
  if ("standalone" in navigator && navigator.standalone === false) return { kind: "not-installed" };
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    return { kind: "unsupported" };
  if (Notification.permission === "denied") return { kind: "denied" };
  const registration = await navigator.serviceWorker.getRegistration("/");
  const subscription = await registration?.pushManager.getSubscription();
  return { kind: "ready", endpoint: subscription?.endpoint ?? null };
}

/** Asks the person and the browser. Returns the subscription as JSON, or why there is none. */
export async function subscribeThisBrowser(
  publicKey: string,
): Promise<{ ok: true; subscription: string } | { ok: false; reason: string }> {
  if ((await Notification.requestPermission()) !== "granted")
    return { ok: false, reason: "The browser does not allow Culprit to show notifications. Allow it in its settings." };
  try {
    await navigator.serviceWorker.register("/push-worker.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    // A former subscription may have another key, from an earlier server at this address.
    const former = await pushManager.getSubscription();
    await former?.unsubscribe();
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    return { ok: true, subscription: JSON.stringify(subscription) };
  } catch (error) {
    const said = error instanceof Error && error.message !== "" ? ` It says: ${error.message}` : "";
    return { ok: false, reason: `The browser could not reach its push service.${said}` };
  }
}
