import { HOUR_MS } from "../../app/domain/time.ts";
import type { Random } from "./random.ts";
import { placeAt } from "./shop.ts";

const SAID = [
  { hoursAgo: 1, name: "Mara", path: "/checkout", message: "I pressed Pay, the page went blank. Was I charged?" },
  { hoursAgo: 5, name: "Jonas", path: "/checkout", message: "The total disappears when I use the code SUMMER." },
  {
    hoursAgo: 21,
    name: "Aylin",
    path: "/products/desk",
    message: "The price changes for a moment after the page has loaded.",
  },
  { hoursAgo: 50, name: "Tom", path: "/search", message: "Search is quick now, thank you." },
] as const;

export interface DemoFeedback {
  at: number;
  item: string;
}

/** The feedback of customers. `eventOf`: the id of an error that a customer met on that page. Null: none is known. */
export function listFeedback(now: number, random: Random, eventOf: (path: string) => string | null): DemoFeedback[] {
  return SAID.map(({ hoursAgo, name, path, message }) => {
    const at = now - hoursAgo * HOUR_MS;
    const eventId = eventOf(path);
    const feedback = {
      event_id: random.hex(32),
      timestamp: at / 1000,
      platform: "javascript",
      ...placeAt(at, now, random),
      contexts: {
        feedback: {
          message,
          name,
          contact_email: `${name.toLowerCase()}@example.com`,
          url: `https://shop.example.com${path}`,
          source: "widget",
          ...(eventId && { associated_event_id: eventId }),
        },
      },
    };
    return { at, item: `{"type":"feedback"}\n${JSON.stringify(feedback)}\n` };
  });
}
