import { expect, test } from "vitest";
import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings } from "../../../domain/notification.ts";
import { type CreateStateDatabase, createProject, EVERYTHING, openStore } from "./fixture.ts";

export function describeNotifications(createDatabase: CreateStateDatabase): void {
  test("a project has no addresses and channels until somebody adds them", async () => {
    await using database = await createDatabase();
    const { notifications } = await database.connect();
    expect(await notifications.getNotificationSettings(EVERYTHING, 1)).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
  });

  test("settings are kept by project", async () => {
    await using store = await openStore(createDatabase);
    const [shop, web] = [await createProject(store, "shop"), await createProject(store, "web")];
    const settings: NotificationSettings = {
      emails: ["ada@example.com", "bob@example.com"],
      channelIds: [],
    };
    await store.notifications.saveNotificationSettings(EVERYTHING, shop, settings);
    expect(await store.notifications.getNotificationSettings(EVERYTHING, shop)).toEqual(settings);
    expect(await store.notifications.getNotificationSettings(EVERYTHING, web)).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
    const owner: NotificationSettings = { emails: null, channelIds: [] };
    await store.notifications.saveNotificationSettings(EVERYTHING, shop, owner);
    expect(await store.notifications.getNotificationSettings(EVERYTHING, shop)).toEqual(owner);
  });

  test("knows where somebody signed in last", async () => {
    await using database = await createDatabase();
    const { people } = await database.connect();
    expect(await people.getSignInOrigin()).toBeNull();
    await people.saveSignInOrigin("http://a.example");
    await people.saveSignInOrigin("https://b.example:8443");
    expect(await people.getSignInOrigin()).toBe("https://b.example:8443");
  });
}
