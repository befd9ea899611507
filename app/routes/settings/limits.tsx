import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { toTyped } from "../../features/input/read-form.ts";
import { changeQuotasByForm } from "../../features/limits/change-quotas.server.ts";
import { LimitsNotice } from "../../features/limits/limits-notice.tsx";
import { listQuotaUses } from "../../features/limits/list-quota-uses.server.ts";
import { QuotaPanel } from "../../features/limits/quota-panel.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/limits.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return { quotas: (await listQuotaUses(context.get(workspaceContext), null, Date.now())) ?? [] };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const result = await changeQuotasByForm(context.get(workspaceContext), null, form);
  return result.ok ? result : data({ ...result, typed: toTyped(form) }, { status: result.status });
}

export default function ServerLimitsPage({ loaderData, actionData }: Route.ComponentProps) {
  const refusal = actionData && !actionData.ok ? actionData : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader
        title="Limits"
        trail={[{ label: "Settings", to: "/settings" }]}
        description={
          <>
            How much all projects together may send. Each project has limits of its own, and an item must be within all
            of them. <TextLink to="/arrived">Arrived</TextLink> counts everything that was refused.
          </>
        }
      />
      <LimitsNotice result={actionData} />
      <QuotaPanel of="server" quotas={loaderData.quotas} typed={refusal?.typed ?? null} error={refusal} />
    </div>
  );
}

export function meta() {
  return [{ title: "Limits · Culprit" }];
}

export const handle = { section: "settings" };
