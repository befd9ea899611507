import { expect, test } from "vitest";
import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings } from "../../../domain/notification.ts";
import { type CreateStateDatabase, createProject } from "./fixture.ts";

export function describeNotifications(createDatabase: CreateStateDatabase): void {
  test("a project whose settings nobody has changed tells its owner of everything", async () => {
    await using database = await createDatabase();
    const { notifications } = await database.connect();
    expect(await notifications.getNotificationSettings(1)).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
  });

  test("settings are kept by project", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [shop, web] = [await createProject(store, "shop"), await createProject(store, "web")];
    const settings: NotificationSettings = {
      transitions: ["regressed"],
      emails: ["ada@example.com", "bob@example.com"],
      webhook: { url: "https://hooks.example.com/x", form: "json", secret: "whsec_c2VjcmV0" },
    };
    await store.notifications.saveNotificationSettings(shop, settings);
    expect(await store.notifications.getNotificationSettings(shop)).toEqual(settings);
    expect(await store.notifications.getNotificationSettings(web)).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
    const nobody: NotificationSettings = { transitions: [], emails: [], webhook: null };
    await store.notifications.saveNotificationSettings(shop, nobody);
    expect(await store.notifications.getNotificationSettings(shop)).toEqual(nobody);
  });

  test("knows where somebody signed in last", async () => {
    await using database = await createDatabase();
    const { notifications } = await database.connect();
    expect(await notifications.getSignInOrigin()).toBeNull();
    await notifications.saveSignInOrigin("http://a.example");
    await notifications.saveSignInOrigin("https://b.example:8443");
    expect(await notifications.getSignInOrigin()).toBe("https://b.example:8443");
  });
}
