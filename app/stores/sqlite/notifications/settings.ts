import { maskAddress } from "../../../domain/audit/audit-changes.ts";
import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings, TRANSITIONS } from "../../../domain/notification.ts";
import { includesProject } from "../../../domain/scope.ts";
import type { NotificationStore } from "../../state/notification-store.ts";
import { nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";

interface SettingsRow {
  transitions: string;
  emails: string | null;
  webhook: string | null;
}

export function createNotificationStore(db: SqliteConnection): NotificationStore {
  return {
    getNotificationSettings: async (scope, projectId) => {
      if (!includesProject(scope, projectId)) return DEFAULT_NOTIFICATION_SETTINGS;
      return readSettings(db, projectId);
    },
    saveNotificationSettings: (scope, projectId, { transitions, emails, webhook }) =>
      db.write(() => {
        if (!includesProject(scope, projectId)) return;
        const before = readSettings(db, projectId);
        db.run(
          `INSERT INTO notification_settings (project_id, transitions, emails, webhook)
           VALUES (:projectId, :transitions, :emails, :webhook)
           ON CONFLICT DO UPDATE SET transitions = excluded.transitions, emails = excluded.emails, webhook = excluded.webhook`,
          {
            projectId,
            transitions: JSON.stringify(transitions),
            emails: emails && JSON.stringify(emails),
            webhook: webhook && JSON.stringify(webhook),
          },
        );
        const [project] = nameProjects(db, [projectId]);
        db.note({
          action: "notification.edit",
          target: { kind: "project", id: projectId, name: project ?? `project ${projectId}` },
          before: toFields(before),
          after: toFields({ transitions, emails, webhook }, before),
        });
      }),
  };
}

function readSettings(db: SqliteConnection, projectId: number): NotificationSettings {
  const row = db.get<SettingsRow>(
    "SELECT transitions, emails, webhook FROM notification_settings WHERE project_id = :projectId",
    { projectId },
  );
  return row === undefined ? DEFAULT_NOTIFICATION_SETTINGS : toSettings(row);
}

/** What the audit log says of the settings. Of a webhook's address and secret it says that they changed. */
function toFields({ transitions, emails, webhook }: NotificationSettings, before?: NotificationSettings): AuditFields {
  const isNew = (part: "url" | "secret") => before?.webhook && webhook && before.webhook[part] !== webhook[part];
  return {
    transitions,
    emails: emails ?? "the owner",
    webhook: webhook && `${webhook.form} ${maskAddress(webhook.url)}${isNew("url") ? " (another address)" : ""}`,
    secret: webhook && (isNew("secret") ? "••• (another one)" : "•••"),
  };
}

function toSettings({ transitions, emails, webhook }: SettingsRow): NotificationSettings {
  const told: unknown[] = JSON.parse(transitions);
  return {
    // Of a newer version there may be others, which nothing here makes.
    transitions: TRANSITIONS.filter((transition) => told.includes(transition)),
    emails: emails && JSON.parse(emails),
    webhook: webhook && JSON.parse(webhook),
  };
}
