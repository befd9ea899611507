import { describe, expect, test } from "vitest";
import type { SentryEvent, SentryException } from "../../domain/event.ts";
import { groupEventV1 } from "./group-event-v1.ts";

describe("a group of exceptions", () => {
  test("of one kind is that exception with its causes, and is called after it", () => {
    const group = groupEventV1(
      eventOf([
        member(3, 1, "KeyError", "'sku'", "load"),
        member(2, 0, "ValueError", "bad row 9", "parse"),
        member(1, 0, "ValueError", "bad row 12", "parse"),
        {
          ...member(0, undefined, "ExceptionGroup", "2 errors", "main"),
          mechanism: { type: "generic", exception_id: 0, is_exception_group: true },
        },
      ]),
    );
    expect(group.explanation.contributions.map((part) => ("value" in part ? part.value : part.kind))).toEqual([
      "KeyError",
      "frame",
      "ValueError",
      "frame",
    ]);
    expect(group.mainException).toBe(2);
    expect(group.explanation.omissions).toEqual([
      { kind: "exception", exception: 1, frame: null, reason: "same-as-another" },
      { kind: "exception", exception: 3, frame: null, reason: "exception-group" },
    ]);
  });

  test("of several kinds is each of them and the root, in whatever order they failed", () => {
    const root = {
      ...member(0, undefined, "ExceptionGroup", "2 errors", "main"),
      mechanism: { type: "generic", exception_id: 0, is_exception_group: true },
    };
    const one = groupEventV1(
      eventOf([member(2, 0, "ValueError", "x", "parse"), member(1, 0, "KeyError", "y", "load"), root]),
    );
    const other = groupEventV1(
      eventOf([member(2, 0, "KeyError", "y", "load"), member(1, 0, "ValueError", "x", "parse"), root]),
    );
    expect(one.hashes).toEqual(other.hashes);
    expect(one.mainException).toBe(2);
    const fewer = groupEventV1(eventOf([member(1, 0, "KeyError", "y", "load"), root]));
    expect(fewer.hashes).not.toEqual(one.hashes);
  });

  test("within a group is looked through", () => {
    const inner = {
      ...member(1, 0, "ExceptionGroup", "inner", "run"),
      mechanism: { type: "chained", exception_id: 1, parent_id: 0, is_exception_group: true },
    };
    const root = {
      ...member(0, undefined, "ExceptionGroup", "outer", "main"),
      mechanism: { type: "generic", exception_id: 0, is_exception_group: true },
    };
    const nested = groupEventV1(eventOf([member(2, 1, "KeyError", "y", "load"), inner, root]));
    expect(nested.mainException).toBe(0);
    expect(nested.explanation.omissions.map(({ exception }) => exception)).toEqual([1, 2]);
  });

  test("whose links lead nowhere, or in a circle, is taken as a chain", () => {
    const first = {
      ...member(1, 2, "A", "a", "a"),
      mechanism: { type: "chained", exception_id: 1, parent_id: 2, is_exception_group: true },
    };
    const second = {
      ...member(2, 1, "B", "b", "b"),
      mechanism: { type: "chained", exception_id: 2, parent_id: 1, is_exception_group: true },
    };
    const circle = groupEventV1(eventOf([first, second]));
    expect(circle.explanation.contributions).toHaveLength(4);
    expect(circle.mainException).toBe(1);
  });

  test("of thousands is no work for minutes", () => {
    const members = Array.from({ length: 5_000 }, (_, i) => member(i + 1, 0, `Error${i}`, "x", "f"));
    const root = {
      ...member(0, undefined, "ExceptionGroup", "many", "main"),
      mechanism: { type: "generic", exception_id: 0, is_exception_group: true },
    };
    expect(groupEventV1(eventOf([...members, root])).explanation.contributions.length).toBe(10_002);
  });
});

describe("a chain of exceptions", () => {
  test("counts as a whole and is called after the last", () => {
    const cause: SentryException = { type: "KeyError", value: "y" };
    const last: SentryException = { type: "ValueError", value: "x" };
    const chain = groupEventV1(eventOf([cause, last]));
    expect(chain.mainException).toBe(1);
    expect(chain.hashes).not.toEqual(groupEventV1(eventOf([last])).hashes);
  });

  test("that React wraps in the news that it recovered is called after the cause", () => {
    const cause: SentryException = { type: "TypeError", value: "x is undefined" };
    const wrapper: SentryException = {
      type: "Error",
      value:
        "There was an error while hydrating but React was able to recover by instead client rendering the entire root.",
    };
    expect(groupEventV1(eventOf([cause, wrapper])).mainException).toBe(0);
  });

  test("does not count the stack of components that React's SDK adds as a cause", () => {
    const components = (name: string): SentryException => ({
      type: "React ErrorBoundary TypeError",
      value: "x is undefined",
      stacktrace: { frames: [{ function: name, in_app: true }] },
    });
    const error: SentryException = {
      type: "TypeError",
      value: "x",
      stacktrace: { frames: [{ function: "price", in_app: true }] },
    };
    const inCart = groupEventV1(eventOf([components("Cart"), error]));
    expect(inCart.hashes).toEqual(groupEventV1(eventOf([components("Profile"), error])).hashes);
    expect(inCart.explanation.omissions).toEqual([
      { kind: "exception", exception: 0, frame: null, reason: "component-stack" },
    ]);
    expect(inCart.mainException).toBe(1);
  });
});

describe("the exception that a title speaks of", () => {
  const group = (id: number, parent?: number): SentryException => ({
    ...member(id, parent, "ExceptionGroup", "errors", "main"),
    mechanism: {
      type: "generic",
      exception_id: id,
      is_exception_group: true,
      ...(parent === undefined ? {} : { parent_id: parent }),
    },
  });
  const components: SentryException = { type: "React ErrorBoundary TypeError", value: "x" };
  const wrapper: SentryException = { type: "Error", value: "Hydration failed because" };
  const lists: SentryException[][] = [
    [{ type: "A" }],
    [{ type: "A" }, { type: "B" }],
    [{ type: "A" }, components],
    [components],
    [components, components],
    [{ type: "A" }, wrapper],
    [components, wrapper],
    [member(1, 0, "A", "1", "a"), member(0, undefined, "B", "2", "b")],
    [member(2, 0, "A", "1", "a"), member(1, 0, "A", "2", "a"), group(0)],
    [member(2, 0, "A", "1", "a"), member(1, 0, "B", "2", "b"), group(0)],
    [member(3, 1, "A", "1", "a"), member(2, 0, "A", "2", "a"), group(1, 0), group(0)],
    [group(1, 0), group(0)],
    [group(0)],
  ];

  test("is the same where a fingerprint or a checksum decides the group", () => {
    for (const values of lists) {
      const event = eventOf(values);
      const { mainException } = groupEventV1(event);
      expect(mainException).not.toBeNull();
      expect(groupEventV1({ ...event, fingerprint: ["mine"] }).mainException).toBe(mainException);
      expect(groupEventV1({ ...event, checksum: "mine" }).mainException).toBe(mainException);
    }
  });
});

function member(id: number, parent: number | undefined, type: string, value: string, name: string): SentryException {
  return {
    type,
    value,
    stacktrace: { frames: [{ function: name, module: "shop", in_app: true }] },
    mechanism: { type: "chained", exception_id: id, ...(parent === undefined ? {} : { parent_id: parent }) },
  };
}

function eventOf(values: SentryException[]): SentryEvent {
  return {
    event_id: "0".repeat(32),
    type: "error",
    timestamp: 1,
    received: 1,
    platform: "python",
    level: "error",
    exception: { values },
  };
}
