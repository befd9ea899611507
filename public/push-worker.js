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
