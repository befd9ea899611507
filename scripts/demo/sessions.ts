import { DAY_MS, HOUR_MS } from "../../app/domain/time.ts";
import type { Random } from "./random.ts";
import { placeAt, RELEASES } from "./shop.ts";

/** Sessions that are older are not counted (protocol 9). A little less, because the server takes a while to start. */
const DAYS = 4.9;
const SESSIONS_AN_HOUR = 60;
/** Most visitors have no account. */
const VISITORS = 4_000;
/** The most aggregates of one item (protocol 2.5). */
const MAX_AGGREGATES = 100;
/** Shares of sessions that crash: the newest release is worse. */
const CRASHED = { newest: 0.021, older: 0.004 };
const ERRORED = 0.03;

/** Sessions of the web shop's visitors, as `sessions` items. */
export function listSessionItems(now: number, random: Random): string[] {
  const items: string[] = [];
  for (let hour = Math.ceil((now - DAYS * DAY_MS) / HOUR_MS) * HOUR_MS; hour < now; hour += HOUR_MS) {
    const attrs = placeAt(hour, now, random);
    const isNewest = attrs.release === RELEASES.at(-1)?.version;
    const aggregates = Array.from({ length: SESSIONS_AN_HOUR }, () => ({
      started: new Date(hour).toISOString(),
      did: `visitor-${Math.floor(random.next() * VISITORS)}`,
      [chooseStatus(isNewest ? CRASHED.newest : CRASHED.older, random)]: 1,
    }));
    for (let start = 0; start < aggregates.length; start += MAX_AGGREGATES) {
      const payload = { aggregates: aggregates.slice(start, start + MAX_AGGREGATES), attrs };
      items.push(`{"type":"sessions"}\n${JSON.stringify(payload)}\n`);
    }
  }
  return items;
}

function chooseStatus(crashed: number, random: Random): "crashed" | "errored" | "exited" {
  const chance = random.next();
  if (chance < crashed) return "crashed";
  return chance < crashed + ERRORED ? "errored" : "exited";
}
