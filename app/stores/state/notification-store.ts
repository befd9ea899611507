import type { NotificationSettings } from "../../domain/notification.ts";
import type { Scope } from "../../domain/scope.ts";

/** Who hears of the issues of each project. Of a project outside of the scope nothing is saved. */
export interface NotificationStore {
  /** `DEFAULT_NOTIFICATION_SETTINGS` where nobody has changed them. */
  getNotificationSettings(scope: Scope, projectId: number): Promise<NotificationSettings>;
  saveNotificationSettings(scope: Scope, projectId: number, settings: NotificationSettings): Promise<void>;
}
