import { data } from "react-router";
import { viewerContext, workspaceContext } from "../../context.ts";
import { requireViewer } from "../../features/auth/require-viewer.server.ts";
import { changeLocations } from "../../features/uptime/change-locations.server.ts";
import { LocationForm, LocationList, MadeLocationNotice } from "../../features/uptime/location-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/locations.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { state, settings } = context.get(workspaceContext);
  const locations = await state.uptimeLocations.listUptimeLocations();
  return { locations: locations.map(({ tokenId: _, ...location }) => location), version: settings.version };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const viewer = requireViewer(context.get(viewerContext), url);
  const workspace = context.get(workspaceContext);
  const form = await request.formData();
  const rootUrl = new URL(workspace.settings.publicUrl ?? url.origin).origin;
  const result = await changeLocations(workspace, form, { viewer, rootUrl, now: Date.now() });
  return result.ok ? result : data(result, { status: result.status });
}

export default function LocationsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { locations, version } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const done = actionData?.ok ? actionData : null;
  return (
    <div className="grid max-w-[56rem] grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="Locations"
        trail={[{ label: "Settings", to: "/settings" }]}
        description={
          <>
            Further Culprit processes that check addresses from elsewhere. Each{" "}
            <TextLink to="/uptime">uptime monitor</TextLink> says which of them check it.
          </>
        }
      />
      {done &&
        (done.made ? (
          <MadeLocationNotice made={done.made} version={version} />
        ) : (
          <Notice tone="done" title={done.message} />
        ))}
      {refusal?.field === "intent" && <Notice tone="error" title={refusal.message} />}
      <LocationList locations={locations} />
      <LocationForm key={locations.length} error={refusal} />
    </div>
  );
}

export function meta() {
  return [{ title: "Locations · Culprit" }];
}

/** A token is shown once on this page, so the browser must not cache it. */
export function headers() {
  return { "cache-control": "no-store" };
}

export const handle = { section: "settings" };
