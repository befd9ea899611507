import { data } from "react-router";
import type { Workspace } from "../../access/workspace.ts";
import { workspaceContext } from "../../context.ts";
import { type Settling, settleUndelivered } from "../../features/delivery/settle-undelivered.server.ts";
import { SettledNotice } from "../../features/delivery/settled-notice.tsx";
import { ChannelChoice } from "../../features/notifications/channel-choice.tsx";
import { ChannelList } from "../../features/notifications/channel-list.tsx";
import { CoveringRules } from "../../features/notifications/covering-rules.tsx";
import { DeadLetterList } from "../../features/notifications/dead-letter-list.tsx";
import { FeedbackNews } from "../../features/notifications/feedback-news.tsx";
import { getNotificationPage } from "../../features/notifications/get-notification-page.server.ts";
import { NotificationRules } from "../../features/notifications/notification-rules.tsx";
import { RecipientSettings } from "../../features/notifications/recipient-settings.tsx";
import { saveChannels } from "../../features/notifications/save-channels.server.ts";
import { saveFeedbackNews } from "../../features/notifications/save-feedback-news.server.ts";
import { saveRecipients } from "../../features/notifications/save-recipients.server.ts";
import { sendTest } from "../../features/notifications/send-test.server.ts";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { SilenceButtons } from "../../features/silences/silence-buttons.tsx";
import { SilenceNotices } from "../../features/silences/silence-notice.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/notifications.ts";
import { requireProject, toProjectTrail } from "./require-project.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const { slug, name, firstEventAt } = project;
  return {
    project: { id: project.id, slug, name, firstEventAt },
    page: await getNotificationPage(workspace, project, Date.now()),
  };
}

function settle(intent: Settling) {
  return async (workspace: Workspace, { form, now }: { form: FormData; now: number }) => {
    const result = await settleUndelivered(workspace, { intent, form, now });
    if (result.ok) return result;
    const status: 400 | 404 = result.status === 400 ? 400 : 404;
    return { ok: false as const, status, field: "letter" as const, message: result.message };
  };
}

/** The handlers, by the `intent` of the pressed button. */
const CHANGES = {
  recipients: saveRecipients,
  channels: saveChannels,
  feedback: saveFeedbackNews,
  test: sendTest,
  retry: settle("retry"),
  drop: settle("drop"),
  restore: settle("restore"),
};

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const form = await request.formData();
  const intent = String(form.get("intent"));
  if (!Object.hasOwn(CHANGES, intent)) throw data("This form is not known.", { status: 400 });
  const result = await CHANGES[intent as keyof typeof CHANGES](workspace, { project, form, now: Date.now() });
  return result.ok ? result : data(result, { status: result.status });
}

export default function NotificationsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { project, page } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const done = actionData?.ok ? actionData : null;
  const isOfList = refusal?.field === "channel" || refusal?.field === "letter";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader
        title="Notifications"
        trail={toProjectTrail(project)}
        actions={<SilenceButtons fields={{ project: project.id }} name={project.slug} />}
      />
      <ProjectTabs project={project} current="notifications" />
      {done && "dropped" in done && <SettledNotice result={done} />}
      {done && !("dropped" in done) && (
        <Notice tone={"isBad" in done && done.isBad ? "error" : "done"} title={done.message} />
      )}
      {isOfList && <Notice tone="error" title={refusal.message} />}
      <SilenceNotices silences={page.silences} />
      <CoveringRules rules={page.rules} project={project} />
      {/* A button disappears with its message, so the focus stays in this part. */}
      <KeptFocus>
        <ChannelList targets={page.targets} areTold={page.areRecipientsTold} />
        <DeadLetterList letters={page.dead} />
      </KeptFocus>
      {/* After saving, the form shows what was understood and saved. */}
      <RecipientSettings key={`people ${page.emails.join(" ")}`} page={page} error={refusal} />
      <ChannelChoice
        key={`channels ${page.offered.map(({ id, isChosen }) => `${id}${isChosen}`).join(" ")}`}
        page={page}
        slug={project.slug}
        error={refusal}
      />
      <FeedbackNews key={`feedback ${page.tellsFeedback}`} page={page} />
      <NotificationRules page={page} />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Notifications of ${loaderData?.project.name ?? "project"} · Culprit` }];
}

export const handle = { section: "projects" };
