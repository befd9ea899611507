import { setTimeout as sleep } from "node:timers/promises";
import type { AcceptedSample } from "./load-generator.ts";
import type { ApiServer } from "./web-api.ts";

/** How often an event is looked for, at first; later by a share of its age, so that a backlog is not asked to death. */
const LOOK_EVERY_MS = 20;
const LOOK_AGE_SHARE = 0.05;
const GIVE_UP_MS = 120_000;

/** Milliseconds from the 200 until the web API had it, late by no more than one look. */
export async function waitUntilVisible(server: ApiServer, { eventId, acceptedAt }: AcceptedSample): Promise<number> {
  const url = `${server.url}/api/0/projects/default/shop/events/${eventId}/`;
  for (;;) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${server.token}` } });
    await response.arrayBuffer();
    const ageMs = Date.now() - acceptedAt;
    if (response.status === 200) return ageMs;
    if (response.status !== 404) throw new Error(`${url} answered ${response.status}`);
    if (ageMs > GIVE_UP_MS) throw new Error(`event ${eventId} was not there after ${ageMs} ms`);
    await sleep(Math.max(LOOK_EVERY_MS, ageMs * LOOK_AGE_SHARE));
  }
}
