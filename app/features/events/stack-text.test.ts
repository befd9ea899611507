import { describe, expect, test } from "vitest";
import type { SentryEvent } from "../../domain/event.ts";
import { toEventMarkdown, toStackText } from "./stack-text.ts";

const base: SentryEvent = {
  event_id: "0".repeat(32),
  type: "error",
  timestamp: 1_735_787_045,
  received: 1_735_787_046,
  platform: "node",
  level: "error",
};

const chained: SentryEvent = {
  ...base,
  exception: {
    values: [
      {
        type: "SyntaxError",
        value: "bad json",
        stacktrace: { frames: [{ function: "parse", filename: "json.js", lineno: 3 }] },
      },
      {
        type: "LoadError",
        value: "cannot load",
        stacktrace: {
          frames: [
            { function: "main", filename: "app.js", lineno: 1, colno: 2, in_app: true },
            {
              function: "load",
              filename: "load.js",
              lineno: 9,
              colno: 4,
              in_app: true,
              pre_context: ["a"],
              context_line: "b",
              post_context: ["c"],
            },
          ],
        },
      },
    ],
  },
};

describe("a stack as text", () => {
  test("reads newest first, and the cause follows what it caused", () => {
    expect(toStackText(chained)).toBe(
      [
        "LoadError: cannot load",
        "    at load (load.js:9:4)",
        "    at main (app.js:1:2)",
        "Caused by: SyntaxError: bad json",
        "    at parse (json.js:3)",
      ].join("\n"),
    );
  });

  test("members of a group do not read as causes of each other", () => {
    const member = (id: number, source: string) => ({
      type: `Error${id}`,
      mechanism: { type: "chained", exception_id: id, parent_id: 0, source },
    });
    const group = { type: "Group", mechanism: { type: "generic", exception_id: 0, is_exception_group: true } };
    const values = [member(2, "errors[1]"), member(1, "errors[0]"), group];
    const event = { ...chained, exception: { values } } as SentryEvent;
    expect(toStackText(event)).toBe("Group\nMember of Group: Error1\nMember of Group: Error2");
    expect(toStackText({ ...event, platform: "python" })).toBe(
      "Group\n\nMember of Group:\nError1\n\nMember of Group:\nError2",
    );
  });

  test("reads as a traceback for Python", () => {
    const event: SentryEvent = {
      ...base,
      platform: "python",
      exception: {
        values: [
          {
            type: "KeyError",
            value: "'x'",
            stacktrace: { frames: [{ function: "f", abs_path: "/srv/a.py", lineno: 2, context_line: "  d['x']" }] },
          },
        ],
      },
    };
    expect(toStackText(event)).toBe(
      "Traceback (most recent call last):\n  File \"/srv/a.py\", line 2, in f\n    d['x']\nKeyError: 'x'",
    );
  });

  test("takes the crashed thread when no exception has a stack", () => {
    const event: SentryEvent = {
      ...base,
      threads: {
        values: [
          { id: 1 },
          { id: 2, crashed: true, stacktrace: { frames: [{ function: "abort", package: "/usr/lib/libc.so.6" }] } },
        ],
      },
    };
    expect(toStackText(event)).toBe("    at abort (libc.so.6)");
  });

  test("is empty for an event without any stack", () => {
    expect(toStackText(base)).toBe("");
  });
});

describe("an event as Markdown", () => {
  test("holds the facts, the stack and the source around the failing line", () => {
    const markdown = toEventMarkdown(chained, {
      title: "LoadError: cannot load",
      link: "https://culprit.example/issues/1",
    });
    expect(markdown).toContain("# LoadError: cannot load");
    expect(markdown).toContain("<https://culprit.example/issues/1>");
    expect(markdown).toContain(">     9 b");
    expect(markdown).toContain("Caused by: SyntaxError");
  });

  test("nothing in the event can end a fence or become markup", () => {
    const event: SentryEvent = { ...base, logentry: { formatted: "a\n```\n# b" }, tags: [["k", "`x`"]] };
    const markdown = toEventMarkdown(event, { title: "<b>*x*", link: "https://culprit.example/" });
    expect(markdown).toContain("# \\<b\\>\\*x\\*");
    expect(markdown).toContain("````\na\n```\n# b\n````");
    expect(markdown).toContain("`` k: `x` ``");
  });

  test("it says the trace and the feature flags", () => {
    const event: SentryEvent = {
      ...base,
      contexts: {
        trace: { trace_id: "a".repeat(32) },
        flags: {
          values: [
            { flag: "new-checkout", result: true },
            { flag: "colour", result: "`red`" },
          ],
        },
      },
    };
    const markdown = toEventMarkdown(event, { title: "x", link: "https://culprit.example/" });
    expect(markdown).toContain(`- **Trace**: \`${"a".repeat(32)}\``);
    expect(markdown).toContain('## Feature flags\n\n- `` colour: "`red`" ``\n- `new-checkout: true`');
    expect(markdown.match(/new-checkout/g)).toHaveLength(1);
  });

  test("flags of another form are among the contexts", () => {
    const event = { ...base, contexts: { flags: { checkout: "new" } } } as SentryEvent;
    const markdown = toEventMarkdown(event, { title: "x", link: "https://culprit.example/" });
    expect(markdown).toContain("## Contexts");
    expect(markdown).toContain("checkout: new");
    expect(markdown).not.toContain("## Feature flags");
  });

  const whole: SentryEvent = {
    ...base,
    user: { id: "42", email: "mara@example.com", data: { plan: "pro" } },
    contexts: { runtime: { name: "node", version: "24.1.0" }, os: { type: "os", name: "Linux" } },
    extra: { cart: { items: 3 } },
    exception: {
      values: [
        {
          type: "Error",
          stacktrace: {
            frames: [
              { function: "run", filename: "lib.js", in_app: false, vars: { library: 1 } },
              { function: "pay", filename: "pay.js", lineno: 9, in_app: true, vars: { total: 12, coupon: "`X`" } },
            ],
          },
        },
      ],
    },
  };

  test("it says the local variables of the application's frames, the user, the contexts and other data", () => {
    const markdown = toEventMarkdown(whole, { title: "x", link: "https://culprit.example/" });
    expect(markdown).toContain(
      '## Local variables\n\n`pay.js:9 in pay`\n\n- `total: 12`\n- `` coupon: "`X`" ``\n\nThose of 1 more frame are left out.\n\n## User\n',
    );
    expect(markdown).not.toContain("library");
    expect(markdown).toContain("## User\n\n- `id: 42`\n- `email: mara@example.com`\n- `plan: pro`\n");
    expect(markdown).toContain(
      "## Contexts\n\n- **Operating system**: `name: Linux`\n- **Runtime**: `name: node`, `version: 24.1.0`\n",
    );
    expect(markdown).toContain('## Additional data\n\n- `cart: {"items":3}`');
    expect(markdown).not.toContain("The JSON of the event has all");
  });

  test("its values are bounded, and it says what is missing", () => {
    const extra = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`key${at}`, "x".repeat(1_000)]));
    const markdown = toEventMarkdown({ ...whole, extra }, { title: "x", link: "https://culprit.example/" });
    expect(markdown.length).toBeLessThan(10_000);
    expect(markdown).toContain(
      "The JSON of the event has all: here, 73 more values are left out, and values are cut after 300 characters.",
    );
  });
});
