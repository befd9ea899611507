import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings } from "../../../domain/notification.ts";
import { includesProject } from "../../../domain/scope.ts";
import type { NotificationStore } from "../../state/notification-store.ts";
import { nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";

interface SettingsRow {
  emails: string | null;
  tellsFeedback: 0 | 1;
}

export function createNotificationStore(db: SqliteConnection): NotificationStore {
  return {
    getNotificationSettings: async (scope, projectId) => {
      if (!includesProject(scope, projectId)) return DEFAULT_NOTIFICATION_SETTINGS;
      return db.read(() => readSettings(db, projectId));
    },
    saveNotificationSettings: (scope, projectId, { emails, channelIds, tellsFeedback = false }) =>
      db.write(() => {
        if (!includesProject(scope, projectId)) return;
        const before = toFields(db, readSettings(db, projectId));
        db.run(
          `INSERT INTO notification_settings (project_id, emails, tells_feedback)
           VALUES (:projectId, :emails, :tellsFeedback)
           ON CONFLICT DO UPDATE SET emails = excluded.emails, tells_feedback = excluded.tells_feedback`,
          { projectId, emails: emails && JSON.stringify(emails), tellsFeedback: tellsFeedback ? 1 : 0 },
        );
        db.run("DELETE FROM notification_channels WHERE project_id = :projectId", { projectId });
        db.run(
          `INSERT INTO notification_channels (project_id, channel_id)
           SELECT :projectId, id FROM channels WHERE id IN (SELECT value FROM json_each(:channelIds)) AND (serves_all = 1
             OR EXISTS (SELECT 1 FROM channel_projects AS p WHERE p.channel_id = channels.id AND p.project_id = :projectId))`,
          { projectId, channelIds: JSON.stringify(channelIds) },
        );
        const [project] = nameProjects(db, [projectId]);
        db.note({
          action: "notification.edit",
          target: { kind: "project", id: projectId, name: project ?? `project ${projectId}` },
          before,
          after: toFields(db, readSettings(db, projectId)),
        });
      }),
  };
}

function readSettings(db: SqliteConnection, projectId: number): NotificationSettings {
  const row = db.get<SettingsRow>(
    "SELECT emails, tells_feedback AS tellsFeedback FROM notification_settings WHERE project_id = :projectId",
    { projectId },
  );
  if (row === undefined) return DEFAULT_NOTIFICATION_SETTINGS;
  return {
    emails: row.emails && JSON.parse(row.emails),
    channelIds: db
      .all<{ id: number }>(
        "SELECT channel_id AS id FROM notification_channels WHERE project_id = :projectId ORDER BY channel_id",
        { projectId },
      )
      .map(({ id }) => id),
    ...(row.tellsFeedback === 1 && { tellsFeedback: true }),
  };
}

/** The fields of the settings in the audit log. */
function toFields(db: SqliteConnection, { emails, channelIds, tellsFeedback }: NotificationSettings): AuditFields {
  const channels = db
    .all<{ name: string }>(
      "SELECT name FROM channels WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY name_key(name), id",
      { ids: JSON.stringify(channelIds) },
    )
    .map(({ name }) => name);
  return { emails: emails ?? "the owner", channels, ...(tellsFeedback && { feedback: "told" }) };
}
