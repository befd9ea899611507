import type { NotificationSettings } from "../../domain/notification.ts";

/** Who hears of the issues of each project. */
export interface NotificationStore {
  /** `DEFAULT_NOTIFICATION_SETTINGS` where nobody has changed them. */
  getNotificationSettings(projectId: number): Promise<NotificationSettings>;
  saveNotificationSettings(projectId: number, settings: NotificationSettings): Promise<void>;
  /** Where somebody signed in last: what links begin with, where no address is configured. Null: nobody has yet. */
  getSignInOrigin(): Promise<string | null>;
  saveSignInOrigin(origin: string): Promise<void>;
}
