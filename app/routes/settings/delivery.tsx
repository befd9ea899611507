import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { FallbackForm } from "../../features/delivery/fallback-form.tsx";
import { getDeliveryPage } from "../../features/delivery/get-delivery-page.server.ts";
import { setFallback } from "../../features/delivery/set-fallback.server.ts";
import { SETTLING, settleUndelivered } from "../../features/delivery/settle-undelivered.server.ts";
import { SettledNotice } from "../../features/delivery/settled-notice.tsx";
import { UndeliveredList } from "../../features/delivery/undelivered-list.tsx";
import { readIntent } from "../../features/input/read-intent.ts";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/delivery.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return await getDeliveryPage(context.get(workspaceContext));
}

export async function action({ context, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const form = await request.formData();
  const pressed = readIntent(form, ["fallback", ...SETTLING]);
  if (!pressed.ok) return data(pressed, { status: pressed.status });
  const { intent } = pressed;
  const result =
    intent === "fallback"
      ? await setFallback(workspace, form)
      : await settleUndelivered(workspace, { intent, form, now: Date.now() });
  return result.ok ? result : data(result, { status: result.status });
}

export default function DeliveryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { failing, dead, counts, fallback } = loaderData;
  useAnswerInSight();
  const fallbackError = actionData && !actionData.ok && actionData.field === "fallback" ? actionData.message : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader
        title="Delivery"
        trail={[{ label: "Settings", to: "/settings" }]}
        description="Messages that did not reach their channel, address or person, and who hears of them instead."
      />
      {/* A button disappears with its message, so the focus stays in this part and the next Tab leads to Undo. */}
      <KeptFocus>
        <SettledNotice result={actionData} />
        <UndeliveredList
          title="Still tried"
          description="They failed at least three times. A message is tried ten times in 21 hours."
          items={failing}
          count={counts.failing}
        />
        <UndeliveredList
          title="Given up"
          description="Nobody tries them any more. The newest 100 of each project are kept."
          items={dead}
          count={counts.dead}
        />
        {failing.length + dead.length === 0 && (
          <Panel title="Messages" isFlush>
            <EmptyState title="No message is in trouble">
              None has failed three times, and none was given up.
            </EmptyState>
          </Panel>
        )}
      </KeptFocus>
      <FallbackForm key={fallback.id} fallback={fallback} error={fallbackError} />
    </div>
  );
}

export function meta() {
  return [{ title: "Delivery · Culprit" }];
}

export const handle = { section: "settings" };
