import { formatCount } from "../../ui/count.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { DeliveryTrouble } from "./get-delivery-page.server.ts";

/** Says on every page that messages do not arrive, for those who may mend it. */
export function DeliveryNotice({ trouble }: { trouble: DeliveryTrouble | null }) {
  if (trouble === null) return null;
  return (
    <Notice tone="warning" className="mb-4" title="Culprit cannot deliver some messages">
      <p>
        {sayTrouble(trouble)} <TextLink to="/settings/delivery">See why</TextLink>
      </p>
    </Notice>
  );
}

/** `2 messages are still tried, and one was given up.` */
export function sayTrouble({ failing, dead }: DeliveryTrouble): string {
  const tried = failing === 1 ? "one message is still tried" : `${formatCount(failing)} messages are still tried`;
  const gone = dead === 1 ? "one was given up" : `${formatCount(dead)} were given up`;
  const parts = [
    failing > 0 && tried,
    dead > 0 && (failing > 0 ? gone : gone.replace(/^(\S+)/, dead === 1 ? "$1 message" : "$1 messages")),
  ];
  const text = parts.filter(Boolean).join(", and ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
