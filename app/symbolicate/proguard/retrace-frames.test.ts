import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Frame } from "../../domain/event.ts";
import { ProguardMapping } from "./proguard-mapping.ts";
import { openMappings, retraceClassName, retraceFrames } from "./retrace-frames.ts";

const FIXTURES = join(import.meta.dirname, "../../../tests/fixtures/proguard");
const BAR = "=====\n";

function mappingOf(text: string): ProguardMapping {
  return ProguardMapping.parse(Buffer.from(text));
}

/** Frames from a Java stack trace, oldest call first. */
function readFrames(lines: readonly string[]): Frame[] {
  return lines
    .flatMap((line): Frame[] => {
      const [, module = "", name = "", filename = "", lineno] =
        /^\tat ([\w.$]+)\.([\w$<>]+)\(([^:]*):(\d+)\)$/.exec(line) ?? [];
      return module === "" ? [] : [{ module, function: name, filename, lineno: Number(lineno) }];
    })
    .reverse();
}

function print(frames: readonly Frame[]): string[] {
  return frames.toReversed().map(({ module, function: name, filename, lineno }) => {
    const place = lineno === undefined ? filename : `${filename}:${lineno}`;
    return `\tat ${module}.${name}(${place})`;
  });
}

/** A Java stack trace, exception by exception. */
function retrace(trace: string, mapping: ProguardMapping): string {
  const written: string[] = [];
  let stack: string[] = [];
  let thrown: string | null = null;
  const end = () => {
    written.push(...print(retraceFrames(readFrames(stack), openMappings([mapping]), thrown).frames));
    stack = [];
  };
  for (const line of trace.split("\n")) {
    if (line.startsWith("\tat ")) {
      stack.push(line);
      continue;
    }
    end();
    const [, before = "", name = "", after = ""] = /^(Caused by: )?([\w.$]+)(:.*)?$/.exec(line) ?? [];
    thrown = name === "" ? null : (retraceClassName(name, openMappings([mapping])) ?? name);
    written.push(thrown === null ? line : `${before}${thrown}${after}`);
  }
  return written.join("\n");
}

describe("an app that R8 shortened", () => {
  const read = (name: string) => readFileSync(join(FIXTURES, name), "utf8");
  const mapping = mappingOf(read("mapping.txt"));
  const sent = read("sent.txt").split(BAR);
  const expected = read("retraced.txt").split(BAR);

  test.for(sent.map((trace, index) => ({ trace, index })))(
    "trace $index reads as R8 itself reads it",
    ({ trace, index }) => {
      expect(retrace(trace, mapping)).toBe(expected[index]);
    },
  );

  test("all frames of the app are counted as found, and inlined calls are not", () => {
    const frames = readFrames((sent[1] ?? "").split("\n"));
    expect(retraceFrames(frames, openMappings([mapping]), null)).toMatchObject({
      foundCount: 3,
      frames: { length: 7 },
    });
  });

  test("the check for null that R8 put in place of a call is left out, of this exception alone", () => {
    const frames: Frame[] = [{ module: "com.example.shop.a", function: "run", lineno: 2 }];
    const namesFor = (thrown: string) =>
      retraceFrames(frames, openMappings([mapping]), thrown).frames.map((each) => each.function);
    expect(namesFor("java.lang.NullPointerException")).toEqual(["run"]);
    expect(namesFor("java.lang.IllegalStateException")).toEqual(["run", "first"]);
  });
});

function retraceOne(lines: string, frame: Frame): Frame[] {
  return retraceFrames(
    [{ module: "a.a", ...frame }],
    openMappings([mappingOf(`com.example.Cart -> a.a:\n${lines}`)]),
    null,
  ).frames;
}

describe("lines", () => {
  test("without a line, a name that belongs to one method is restored", () => {
    expect(retraceOne("    1:4:int total(int):10:13 -> b", { function: "b" })).toMatchObject([
      { module: "com.example.Cart", function: "total", filename: "Cart.java" },
    ]);
  });

  test("without a line, a name that several methods share stays as it is", () => {
    const lines = "    1:4:int total(int):10:13 -> b\n    5:6:void clear():20:21 -> b";
    const [frame] = retraceOne(lines, { function: "b" });
    expect(frame).toMatchObject({ module: "com.example.Cart", function: "b" });
    expect(frame?.lineno).toBeUndefined();
  });

  test("a mapping without ranges keeps lines as they were sent, as ProGuard does that did not renumber", () => {
    expect(retraceOne("    int total(int) -> b", { function: "b", lineno: 7 })).toMatchObject([
      { function: "total", lineno: 7 },
    ]);
    expect(retraceOne("    7:9:int total(int) -> b", { function: "b", lineno: 8 })).toMatchObject([
      { function: "total", lineno: 8 },
    ]);
  });

  test("a method that the mapping does not have keeps its name and line", () => {
    expect(retraceOne("    int total(int) -> b", { function: "c", lineno: 7 })).toMatchObject([
      { module: "com.example.Cart", function: "c", lineno: 7 },
    ]);
  });

  test("the frame of a class that no mapping has stays as it is", () => {
    const frame = { module: "android.os.Handler", function: "dispatchMessage", lineno: 106, filename: "Handler.java" };
    expect(retraceFrames([frame], openMappings([mappingOf("com.example.Cart -> a.a:\n")]), null)).toEqual({
      frames: [frame],
      foundCount: 0,
    });
  });
});

describe("what the compiler added", () => {
  const SYNTHESIZED = '      # {"id":"com.android.tools.r8.synthesized"}';

  test("methods that it made are left out, at each of their lines", () => {
    const lines = ["    1:1:void run():0:0 -> b", SYNTHESIZED, "    2:2:void run():5:5 -> b"].join("\n");
    expect(retraceOne(lines, { function: "b", lineno: 2 })).toEqual([]);
  });

  test("an outline lends its line to the caller, and has no frame of its own", () => {
    const mapping = mappingOf(
      [
        "com.example.Cart -> a.a:",
        "    1:1:int total():10:10 -> b",
        '      # {"id":"com.android.tools.r8.outlineCallsite","positions":{"3":2},"outline":"La/b;a()I"}',
        "    2:2:int total():25:25 -> b",
        "R8$$SyntheticClass -> a.b:",
        "    1:9:int a():0:0 -> a",
        '      # {"id":"com.android.tools.r8.outline"}',
      ].join("\n"),
    );
    const frames: Frame[] = [
      { module: "a.a", function: "b", lineno: 1 },
      { module: "a.b", function: "a", lineno: 3 },
    ];
    expect(retraceFrames(frames, openMappings([mapping]), null).frames).toMatchObject([
      { function: "total", lineno: 25 },
    ]);
  });
});

describe("files that no compiler wrote", () => {
  test("lines of another format are left out", () => {
    const mapping = mappingOf(
      "\r\n# {not json\nx -> y\n -> a.a:\ncom.example.Cart -> a.a:\r\n  ???\n    int total() -> b\r\n",
    );
    expect(mapping.classCount).toBe(1);
    expect(retraceFrames([{ module: "a.a", function: "b" }], openMappings([mapping]), null).frames).toMatchObject([
      { function: "total" },
    ]);
  });

  test("a frame with ten thousand inlined calls shows 64, those of its outside", () => {
    const calls = Array.from({ length: 10_000 }, (_, index) => `    1:1:void call${index}():5:5 -> b`);
    const frames = retraceOne(calls.join("\n"), { function: "b", lineno: 1 });
    expect(frames).toHaveLength(64);
    expect(frames[0]?.function).toBe("call9999");
  });

  test("a stack shows some 1,000 frames, however many calls each of its own stands for", () => {
    const calls = Array.from({ length: 64 }, (_, index) => `    1:1:void call${index}():5:5 -> b`);
    const stack = Array.from({ length: 200 }, (): Frame => ({ module: "a.a", function: "b", lineno: 1 }));
    const mapping = mappingOf(`com.example.Cart -> a.a:\n${calls.join("\n")}`);
    expect(retraceFrames(stack, openMappings([mapping]), null).frames.length).toBeLessThan(1_250);
  });

  test("two sections of one short name: the first counts", () => {
    const mapping = mappingOf("com.example.A -> a.a:\ncom.example.B -> a.a:\n");
    expect(retraceClassName("a.a", openMappings([mapping]))).toBe("com.example.A");
  });

  test("a name that only has the hash of another is not taken for it", () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `c${index.toString(36)}`);
    const mapping = mappingOf(names.map((name) => `com.example.${name} -> ${name}:`).join("\n"));
    expect(names.filter((name) => retraceClassName(name, openMappings([mapping])) !== `com.example.${name}`)).toEqual(
      [],
    );
    expect(retraceClassName("missing", openMappings([mapping]))).toBeNull();
  });

  test("a class of a million lines is read to its twenty-thousandth, and an event to some ten such classes", () => {
    const lines = (count: number) => "    1:1:void run():5:5 -> b\n".repeat(count);
    const classes = Array.from({ length: 15 }, (_, index) => `com.example.C${index} -> c${index}:\n${lines(20_000)}`);
    const mapping = mappingOf(`${classes.join("")}com.example.Huge -> huge:\n${lines(100_000)}`);
    expect(mapping.findClass("huge")?.lineCount).toBe(20_000);
    const stack = classes.map((_, index): Frame => ({ module: `c${index}`, function: "b", lineno: 1 }));
    expect(retraceFrames(stack, openMappings([mapping]), null).foundCount).toBe(11);
  });

  test("a line of a megabyte is left out", () => {
    const long = `    1:1:void ${"a".repeat(1_000_000)}():5:5 -> b`;
    expect(retraceOne(`${long}\n    1:1:void run():5:5 -> b`, { function: "b", lineno: 1 })).toMatchObject([
      { function: "run" },
    ]);
  });
});
