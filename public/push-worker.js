// Shows what Culprit sends to this browser, and opens the page when somebody clicks on it. It does nothing else: pages do not pass through it.
self.addEventListener("push", (event) => {
  const { title, body, url, key } = readMessage(event.data);
  // The same message again, after an attempt that seemed to have failed, takes the place of the first.
  event.waitUntil(self.registration.showNotification(title, { body, tag: key, icon: "/favicon.svg", data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url));
});

// The push service has given the browser another address, or wants to: the server must hear of it, or nothing comes any more.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event.oldSubscription, event.newSubscription));
});

async function renew(former, given) {
  // Without the former one it is not known for which server's key a new one must be.
  const applicationServerKey = (given ?? former)?.options?.applicationServerKey;
  if (!applicationServerKey) return;
  const subscription =
    given ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  const form = new FormData();
  form.set("intent", "push-renew");
  form.set("former", former?.endpoint ?? "");
  form.set("subscription", JSON.stringify(subscription));
  // Whose browser it is says the session. Signed out, the server hears nothing, and the page says so at the next visit.
  await fetch("/settings", { method: "POST", body: form, redirect: "manual" });
}

function readMessage(data) {
  try {
    const { title, body, url, key } = data.json();
    return { title: String(title), body: String(body), url, key: String(key) };
  } catch {
    // Browsers take the permission away from who shows nothing.
    return { title: "Culprit", body: "There is something new.", url: null, key: "" };
  }
}

/** Only pages of this server, whatever a message says. */
async function open(url) {
  const target = new URL(typeof url === "string" ? url : "/", self.location.origin);
  const page = new URL(target.pathname + target.search + target.hash, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const known = windows.find((each) => each.url === page);
  await (known ? known.focus() : self.clients.openWindow(page));
}
