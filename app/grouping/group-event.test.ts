import { describe, expect, test } from "vitest";
import { readPlatformEvent } from "../../tests/support/grouping-fixtures.ts";
import type { Frame, SentryEvent, SentryException } from "../domain/event.ts";
import { groupEvent } from "./group-event.ts";

describe("what does not change the issue", () => {
  test("other line and column numbers, other local variables, other addresses", () => {
    const before = readPlatformEvent("python-django");
    const after = structuredClone(before);
    for (const frame of framesOf(after)) {
      frame.lineno = (frame.lineno ?? 0) + 100;
      frame.colno = 7;
      frame.vars = { cart: "other" };
      frame.instruction_addr = "0x1";
    }
    expect(mainHash(after)).toBe(mainHash(before));
  });

  test("another value, when a stack tells the place", () => {
    expect(mainHash(errorAt(["show", "load"], { value: "no cart 12" }))).toBe(
      mainHash(errorAt(["show", "load"], { value: "disk full" })),
    );
  });

  test("another path to the same file, where the module or the file's name says which it is", () => {
    const here = errorAt(["load"], {
      platform: "python",
      frame: { module: "shop.cart", abs_path: "/srv/v1/shop/cart.py", filename: "shop/cart.py" },
    });
    const there = errorAt(["load"], {
      platform: "python",
      frame: { module: "shop.cart", abs_path: "/srv/v2/shop/cart.py", filename: "src/shop/cart.py" },
    });
    expect(mainHash(here)).toBe(mainHash(there));
  });

  test("other frames of libraries between those of the app", () => {
    const direct = errorAt(["show", "load"]);
    const through = errorAt(["show", "load"]);
    framesOf(through).splice(1, 0, { function: "middleware", module: "lib", in_app: false });
    expect(mainHash(through)).toBe(mainHash(direct));
  });

  test("how deep a recursion goes, and through which branch", () => {
    const walk = (...lines: number[]) => {
      const event = errorAt(["main", ...lines.map(() => "walk"), "visit"]);
      for (const [i, line] of lines.entries()) Object.assign(framesOf(event)[i + 1] ?? {}, { lineno: line });
      return event;
    };
    expect(mainHash(walk(10))).toBe(mainHash(walk(10, 10, 12, 10)));
  });

  test("which of the JVM's ways a reflective call takes, and the numbers of lambdas and proxies", () => {
    const before = readPlatformEvent("java-spring");
    const after = structuredClone(before);
    for (const { stacktrace } of after.exception?.values ?? []) {
      const frames = stacktrace?.frames ?? [];
      Object.assign(frames[0] ?? {}, { module: "jdk.internal.reflect.GeneratedMethodAccessor81", function: "invoke" });
      for (const frame of frames) {
        frame.function = frame.function?.replace("$checkout$3", "$checkout$9");
        frame.module = frame.module
          ?.replace("8f0a1b2c", "77aa00ff")
          .replace("Lambda$417/0x0000000800d3c440", "Lambda/0x00007f11d0000a00");
      }
    }
    expect(after).not.toEqual(before);
    expect(groupEvent(after).hashes).toEqual(groupEvent(before).hashes);
  });

  test("where PHP declared an anonymous class, and the number of a compiled template", () => {
    for (const [name, from, to] of [
      ["php-laravel", "Prices.php:14$0", "Prices.php:99$3"],
      ["ruby-rails", "___2312876328715_4820", "___8812_19"],
    ] as const) {
      const before = readPlatformEvent(name);
      const after: SentryEvent = JSON.parse(JSON.stringify(before).replace(from, to));
      expect(after).not.toEqual(before);
      expect(mainHash(after)).toBe(mainHash(before));
    }
  });

  test("another build of a Rust program, and what its panic runs through", () => {
    const before = readPlatformEvent("rust-panic");
    const after: SentryEvent = JSON.parse(JSON.stringify(before).replaceAll(/::h[0-9a-f]{16}/g, "::hffffffffffffffff"));
    framesOf(after).push({ function: "backtrace::capture::Backtrace::new", in_app: true });
    expect(mainHash(after)).toBe(mainHash(before));
    expect(framesThatCounted(before).map((part) => part.function)).toEqual([
      "shop::main",
      "shop::cart::Cart::total::{{closure}}",
    ]);
  });

  test("generated numbers of C# closures, and signatures of C++ functions", () => {
    expect(framesThatCounted(readPlatformEvent("csharp-aspnet")).map((part) => part.function)).toEqual([
      "MoveNext",
      "<Total>b__",
    ]);
    expect(framesThatCounted(readPlatformEvent("native-cpp")).map((part) => part.function)).toEqual([
      "main",
      "shop::Cart::total",
      "shop::Cart::total::lambda::operator()",
    ]);
  });

  test("helpers of Node between the frames", () => {
    expect(framesThatCounted(readPlatformEvent("node-express")).map((part) => part.function)).toEqual([
      "showCart",
      "totalOf",
    ]);
  });
});

describe("what makes another issue", () => {
  const base = errorAt(["show", "load"]);

  test.each<[string, SentryEvent]>([
    ["another exception type", errorAt(["show", "load"], { type: "ValueError" })],
    ["another function", errorAt(["show", "save"])],
    ["another caller in the app", errorAt(["list", "load"])],
    ["a frame more in the app", errorAt(["main", "show", "load"])],
    ["another order", errorAt(["load", "show"])],
    ["another module", errorAt(["show", "load"], { frame: { module: "shop.stock" } })],
  ])("%s", (_what, event) => {
    expect(mainHash(event)).not.toBe(mainHash(base));
  });

  test("another line of source, on platforms that send it", () => {
    const reads = errorAt(["load"], { frame: { context_line: "  return row['sku']" } });
    const writes = errorAt(["load"], { frame: { context_line: "  row['sku'] = 1" } });
    expect(mainHash(reads)).not.toBe(mainHash(writes));
    expect(mainHash(errorAt(["load"], { frame: { context_line: "\treturn  row['sku'] " } }))).toBe(mainHash(reads));
  });

  test("values whose boundary moved: nothing is glued together", () => {
    expect(mainHash(errorAt(["ab", "c"]))).not.toBe(mainHash(errorAt(["a", "bc"])));
    expect(mainHash(event({ fingerprint: ["a", "b"] }))).not.toBe(mainHash(event({ fingerprint: ["aPb"] })));
    expect(mainHash(errorAt([], { type: "A", value: "B" }))).not.toBe(mainHash(errorAt([], { type: "AB", value: "" })));
  });

  test("the same words as a message, as a value and as a fingerprint", () => {
    const words = "disk full";
    const hashes = [
      mainHash(event({ logentry: { formatted: words } })),
      mainHash(errorAt([], { type: undefined, value: words })),
      mainHash(event({ fingerprint: [words] })),
      mainHash(event({ checksum: words })),
    ];
    expect(new Set(hashes).size).toBe(4);
  });
});

describe("values and messages", () => {
  test("a value counts, without its parameters, when no frame can", () => {
    const { explanation } = groupEvent(errorAt([], { value: "no cart 12" }));
    expect(explanation.basis).toBe("exception-value");
    expect(explanation.contributions).toContainEqual({ kind: "exception-value", exception: 0, value: "no cart <int>" });
    expect(mainHash(errorAt([], { value: "no cart 12" }))).toBe(mainHash(errorAt([], { value: "no cart 13" })));
    expect(mainHash(errorAt([], { value: "no cart 12" }))).not.toBe(mainHash(errorAt([], { value: "no user 12" })));
  });

  test("frames that only hold addresses do not count", () => {
    const { explanation } = groupEvent(
      errorAt([], { platform: "native", frames: [{ instruction_addr: "0x1", in_app: true }] }),
    );
    expect(explanation.basis).toBe("exception-value");
  });

  test("a template counts rather than what was filled in", () => {
    const one = event({ logentry: { message: "Order %s failed", formatted: "Order north failed", params: ["north"] } });
    const other = event({
      logentry: { message: "Order %s failed", formatted: "Order south failed", params: ["south"] },
    });
    expect(mainHash(one)).toBe(mainHash(other));
  });

  test("an event that says nothing shares one issue with all others like it", () => {
    const { explanation, title } = groupEvent(event({}));
    expect(explanation).toMatchObject({ basis: "fallback", variant: null, contributions: [] });
    expect(title).toBe("<unlabeled event>");
    expect(mainHash(event({}))).toBe(mainHash(event({ logentry: { formatted: "  \n " } })));
  });

  test("a made-up type does not count", () => {
    const [segv, abrt] = ["SIGSEGV", "SIGABRT"].map((type) =>
      errorAt(["main"], { type, platform: "native", mechanism: { type: "signalhandler", synthetic: true } }),
    );
    expect(mainHash(segv)).toBe(mainHash(abrt));
  });

  test("domain and code of an NSError count", () => {
    const before = readPlatformEvent("cocoa-ns-error");
    const after: SentryEvent = JSON.parse(JSON.stringify(before).replaceAll("260", "513"));
    expect(mainHash(after)).not.toBe(mainHash(before));
    expect(groupEvent(before).explanation.contributions).toContainEqual({
      kind: "detail",
      name: "NSError",
      value: "NSCocoaErrorDomain 260",
    });
  });
});

describe("app and system", () => {
  test("in-app frames alone form the main key, all frames the second", () => {
    const { hashes, explanation } = groupEvent(readPlatformEvent("python-django"));
    expect(hashes).toHaveLength(2);
    expect(explanation.variant).toBe("app");
    expect(framesThatCounted(readPlatformEvent("python-django")).map((part) => part.function)).toEqual([
      "show_cart",
      "share_of",
    ]);
  });

  test("all frames count where none is in the app, and there is one key", () => {
    const { hashes, explanation } = groupEvent(errorAt(["serve", "read"], { frame: { in_app: false } }));
    expect(hashes).toHaveLength(1);
    expect(explanation.variant).toBe("system");
  });

  test("there is one key where every frame is in the app", () => {
    expect(groupEvent(errorAt(["show", "load"])).hashes).toHaveLength(1);
  });

  test("an error stays in its issue when a new SDK judges differently what is in the app", () => {
    const before = errorAt(["serve", "show", "load"], { frame: { in_app: false } });
    const after = structuredClone(before);
    for (const frame of framesOf(after).slice(1)) frame.in_app = true;
    expect(groupEvent(after).hashes[0]).not.toBe(groupEvent(before).hashes[0]);
    expect(groupEvent(after).hashes).toContain(groupEvent(before).hashes[0]);
  });

  test("a cause without frames of the app is known by its type alone beside one that has them", () => {
    const withCause = (value: string) =>
      event({
        exception: {
          values: [
            {
              type: "DriverError",
              value,
              stacktrace: { frames: [{ function: "query", module: "driver", in_app: false }] },
            },
            {
              type: "SaveError",
              value: "not saved",
              stacktrace: { frames: [{ function: "save", module: "shop", in_app: true }] },
            },
          ],
        },
      });
    expect(mainHash(withCause("duplicate key 12"))).toBe(mainHash(withCause("connection lost")));
  });
});

describe("threads and stacks", () => {
  const stack = (name: string) => ({ frames: [{ function: name, module: "shop", in_app: true }] });

  test("the crashed thread counts, else the current one, else the only one", () => {
    const threads = [
      { id: 1, current: true, stacktrace: stack("a") },
      { id: 2, crashed: true, stacktrace: stack("b") },
    ];
    const both = groupEvent(event({ threads: { values: threads } }));
    expect(both.explanation).toMatchObject({
      basis: "threads",
      contributions: [{ kind: "frame", exception: null, frame: 0, function: "b" }],
    });
    expect(mainHash(event({ threads: { values: [{ id: 9, stacktrace: stack("b") }] } }))).toBe(both.hashes[0]);
  });

  test("several threads do not decide when none stands out", () => {
    const values = [
      { id: 1, stacktrace: stack("a") },
      { id: 2, stacktrace: stack("b") },
    ];
    expect(groupEvent(event({ threads: { values }, logentry: { formatted: "slow" } })).explanation.basis).toBe(
      "message",
    );
  });

  test("the stack of the event itself comes before its message", () => {
    expect(groupEvent(event({ stacktrace: stack("a"), logentry: { formatted: "slow" } })).explanation.basis).toBe(
      "stack",
    );
  });
});

describe("what was left out, and why", () => {
  test("runs of one reason are one entry, and what the page can see for itself is not listed", () => {
    const recursive = errorAt(["main", "walk", "walk", "walk", "visit"]);
    framesOf(recursive).splice(1, 0, { function: "dispatch", module: "lib", in_app: false });
    expect(groupEvent(recursive).explanation.omissions).toEqual([
      { kind: "frame", exception: 0, frame: 2, to: 3, reason: "recursion" },
    ]);
  });

  test("a stack of the longest kind gives an explanation of bounded size", () => {
    const names = Array.from({ length: 250 }, (_, i) => `f${i}`);
    expect(JSON.stringify(groupEvent(errorAt(names)).explanation).length).toBeLessThan(30_000);
  });
});

describe("unhandled", () => {
  test("an event is unhandled when one of its exceptions is", () => {
    expect(groupEvent(errorAt(["a"], { mechanism: { type: "generic", handled: false } })).isUnhandled).toBe(true);
    expect(groupEvent(errorAt(["a"], { mechanism: { type: "generic", handled: true } })).isUnhandled).toBe(false);
    expect(groupEvent(event({})).isUnhandled).toBe(false);
  });
});

function event(fields: Partial<SentryEvent>): SentryEvent {
  return {
    event_id: "0".repeat(32),
    type: "default",
    timestamp: 1,
    received: 1,
    platform: "python",
    level: "error",
    ...fields,
  };
}

interface ErrorOptions extends Partial<Pick<SentryException, "type" | "value" | "mechanism">> {
  platform?: string;
  /** Fields of every frame. */
  frame?: Partial<Frame>;
  frames?: Frame[];
}

function errorAt(
  functions: string[],
  { platform = "python", frame, frames, ...exception }: ErrorOptions = {},
): SentryEvent {
  const stack = frames ?? functions.map((name) => ({ function: name, module: "shop.cart", in_app: true, ...frame }));
  return event({
    type: "error",
    platform,
    exception: {
      values: [
        {
          type: "KeyError",
          value: "'sku'",
          ...exception,
          ...(stack.length > 0 ? { stacktrace: { frames: stack } } : {}),
        },
      ],
    },
  });
}

function framesOf(of: SentryEvent): Frame[] {
  return of.exception?.values.at(-1)?.stacktrace?.frames ?? [];
}

function framesThatCounted(of: SentryEvent) {
  return groupEvent(of).explanation.contributions.filter((part) => part.kind === "frame");
}

function mainHash(of: SentryEvent | undefined): string {
  return of === undefined ? "" : (groupEvent(of).hashes[0] ?? "");
}
