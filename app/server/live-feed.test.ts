import { describe, expect, test } from "vitest";
import type { LiveMessage } from "../domain/live-message.ts";
import { createLiveFeed } from "./live-feed.ts";

const message: LiveMessage = { kind: "issues", at: 1, changes: [] };

describe("the live feed", () => {
  test("reaches everyone who listens, until they stop", () => {
    const feed = createLiveFeed({ error: () => {} });
    const heard: string[] = [];
    const stop = feed.subscribe(() => heard.push("a"));
    feed.subscribe(() => heard.push("b"));
    feed.publish(message);
    stop();
    feed.publish(message);
    expect(heard).toEqual(["a", "b", "b"]);
  });

  test("tells later listeners when the newest message was published", () => {
    const feed = createLiveFeed({ error: () => {} });
    expect(feed.lastPublishedAt()).toBeNull();
    feed.publish({ ...message, at: 7 });
    expect(feed.lastPublishedAt()).toBe(7);
  });

  test("goes on when a listener throws, and says so", () => {
    const logged: string[] = [];
    const feed = createLiveFeed({ error: (_, text) => logged.push(text) });
    const heard: string[] = [];
    feed.subscribe(() => {
      throw new Error("broken");
    });
    feed.subscribe(() => heard.push("b"));
    feed.publish(message);
    expect(heard).toEqual(["b"]);
    expect(logged).toHaveLength(1);
  });
});
