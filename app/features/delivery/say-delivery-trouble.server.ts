import { formatCount } from "../../ui/count.tsx";
import type { DeliveryTrouble } from "./get-delivery-page.server.ts";

/** The notice on every page that messages do not arrive, for people who may mend it. */
export function sayDeliveryTrouble(trouble: DeliveryTrouble) {
  return {
    title: "Culprit cannot deliver some messages",
    text: sayCounts(trouble),
    more: { to: "/settings/delivery", label: "See why" },
  };
}

/** The counts in words: `2 messages are still tried, and one was given up.` */
function sayCounts({ failing, dead }: DeliveryTrouble): string {
  const tried = failing === 1 ? "one message is still tried" : `${formatCount(failing)} messages are still tried`;
  const gone = dead === 1 ? "one was given up" : `${formatCount(dead)} were given up`;
  const parts = [
    failing > 0 && tried,
    dead > 0 && (failing > 0 ? gone : gone.replace(/^(\S+)/, dead === 1 ? "$1 message" : "$1 messages")),
  ];
  const text = parts.filter(Boolean).join(", and ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
