import { describe, expect, test } from "vitest";
import { parseStackText } from "./parse-stack-text.ts";

/** Type, then `function file:line`, innermost first, as people read them. */
function summary(text: string, language: string | null) {
  const { platform, exceptions } = parseStackText(text, language);
  return [
    platform,
    ...exceptions.map(({ type, frames }) => [
      type,
      ...frames.toReversed().map((frame) => `${frame.function} ${frame.filename}:${frame.lineno}`),
    ]),
  ];
}

const JAVASCRIPT = `TypeError: Cannot read properties of undefined (reading 'id')
    at Cart.total (/app/src/cart.js:14:22)
    at async Promise.all (index 0)
    at async pay (file:///app/src/pay.mjs:8:3)
    at /app/src/main.js:2:1
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)`;
const GECKO = `total@https://shop.example/app.js:14:22
@https://shop.example/app.js:20:1`;
const PYTHON = `Traceback (most recent call last):
  File "/app/stock.py", line 4, in reserve
    return levels[item]
           ~~~~~~^^^^^^
KeyError: 'shoe'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/pay.py", line 10, in <module>
    pay()
  File "/app/pay.py", line 7, in pay
    raise StockError("no stock") from error
shop.StockError: no stock
`;
const PYTHON_GROUP = `  + Exception Group Traceback (most recent call last):
  |   File "/app/load.py", line 9, in load
  |     async with asyncio.TaskGroup() as tasks:
  | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/load.py", line 4, in fetch
    |     raise TimeoutError("shop took\\n30 s")
    | TimeoutError: shop took
    | 30 s
    +---------------- 2 ----------------
    | KeyError: 'sku'
    +------------------------------------

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/main.py", line 2, in <module>
    | load()
RuntimeError: no prices
`;

const PYTHON_UNTHROWN = `ValueError: not a number
of shoes

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/stock.py", line 4, in reserve
    raise KeyError("shoe") from ValueError("not a number\\nof shoes")
KeyError: 'shoe'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/pay.py", line 7, in pay
    raise StockError("no\\nstock")
shop.StockError: no
stock
`;
const NODE_CAUSES = `PayError: no stock
    at pay (/app/pay.js:8:3)
    at async main (/app/main.js:2:1) {
  code: 'E_STOCK',
  [cause]: RangeError: none left {
    at reserve (/app/stock.js:4:9)
  }
}
caused by: Error: offline
    at connect (/app/net.js:1:7)`;
const JAVA = `shop.PayException: no stock
\tat shop.Pay.pay(Pay.java:21)
\tat shop.Main.main(Main.java:5)
\tSuppressed: java.io.IOException: closed
\t\tat shop.Log.close(Log.java:2)
Caused by: java.util.NoSuchElementException: shoe
\tat java.base/java.util.HashMap.get(HashMap.java:556)
\tat shop.Pay.lambda$pay$0(Pay.java:18)
\t... 1 more`;
const GO = `goroutine 18 [running]:
go.opentelemetry.io/otel/sdk/trace.recordStackTrace()
\t/go/pkg/mod/go.opentelemetry.io/otel/sdk@v1.40.0/trace/span.go:591 +0x74
main.(*Shop).pay(0xc000012345, {0x1, 0x2})
\t/app/main.go:31 +0x1d
created by main.main in goroutine 1
\t/app/main.go:12 +0x55`;
const DOTNET = `Shop.PayException: no stock
 ---> System.Collections.Generic.KeyNotFoundException: shoe
   at Shop.Stock.Reserve(String item) in /app/Stock.cs:line 9
   --- End of inner exception stack trace ---
   at Shop.Pay.Run() in /app/Pay.cs:line 14
   at Program.<Main>$(String[] args)`;
const RUBY = `pay.rb:8:in 'Shop#pay': no stock (Shop::PayError)
\tfrom pay.rb:12:in '<main>'
stock.rb:3:in \`fetch': key not found: :shoe (KeyError)
\tfrom stock.rb:3:in \`reserve'`;
const PHP = `#0 /app/pay.php(9): Shop\\Stock->reserve('shoe')
#1 [internal function]: Shop\\Pay->run()
#2 {main}`;
const PHP_OTEL = `Shop\\PayException: no stock
\tat Shop.Stock.reserve(Stock.php:9)
\tat Shop.Pay.run(Pay.php:4)`;
const RUST = `   0: std::backtrace::Backtrace::create
   1: shop::pay::h0123456789abcdef
             at ./src/pay.rs:17:9
   2: shop::main
             at ./src/main.rs:4:5`;

describe("a stack text", () => {
  test.each([
    [
      "nodejs",
      JAVASCRIPT,
      [
        "node",
        [
          null,
          "Cart.total /app/src/cart.js:14",
          "pay file:///app/src/pay.mjs:8",
          "undefined /app/src/main.js:2",
          "process.processTicksAndRejections node:internal/process/task_queues:105",
        ],
      ],
    ],
    [
      "webjs",
      GECKO,
      ["javascript", [null, "total https://shop.example/app.js:14", "undefined https://shop.example/app.js:20"]],
    ],
    [
      "python",
      PYTHON,
      [
        "python",
        ["shop.StockError", "pay /app/pay.py:7", "<module> /app/pay.py:10"],
        ["KeyError", "reserve /app/stock.py:4"],
      ],
    ],
    [
      "python",
      PYTHON_UNTHROWN,
      ["python", ["shop.StockError", "pay /app/pay.py:7"], ["KeyError", "reserve /app/stock.py:4"], ["ValueError"]],
    ],
    [
      "python",
      PYTHON_GROUP,
      [
        "python",
        ["RuntimeError", "<module> /app/main.py:2"],
        ["ExceptionGroup", "load /app/load.py:9"],
        ["TimeoutError", "fetch /app/load.py:4"],
        ["KeyError"],
      ],
    ],
    [
      "nodejs",
      NODE_CAUSES,
      [
        "node",
        [null, "pay /app/pay.js:8", "main /app/main.js:2"],
        ["RangeError", "reserve /app/stock.js:4"],
        ["Error", "connect /app/net.js:1"],
      ],
    ],
    [
      "java",
      JAVA,
      [
        "java",
        [null, "pay Pay.java:21", "main Main.java:5"],
        ["java.util.NoSuchElementException", "get HashMap.java:556", "lambda$pay$0 Pay.java:18", "main Main.java:5"],
      ],
    ],
    ["go", GO, ["go", [null, "(*Shop).pay /app/main.go:31", "main /app/main.go:12"]]],
    [
      "dotnet",
      DOTNET,
      [
        "csharp",
        ["Shop.PayException", "Run /app/Pay.cs:14", "<Main>$ undefined:undefined"],
        ["System.Collections.Generic.KeyNotFoundException", "Reserve /app/Stock.cs:9"],
      ],
    ],
    [
      "ruby",
      RUBY,
      [
        "ruby",
        ["Shop::PayError", "Shop#pay pay.rb:8", "<main> pay.rb:12"],
        ["KeyError", "fetch stock.rb:3", "reserve stock.rb:3"],
      ],
    ],
    ["php", PHP, ["php", [null, "Shop\\Stock->reserve /app/pay.php:9", "Shop\\Pay->run undefined:undefined"]]],
    ["php", PHP_OTEL, ["php", [null, "reserve Stock.php:9", "run Pay.php:4"]]],
    [
      "rust",
      RUST,
      [
        "rust",
        [
          null,
          "std::backtrace::Backtrace::create undefined:undefined",
          "shop::pay ./src/pay.rs:17",
          "shop::main ./src/main.rs:4",
        ],
      ],
    ],
  ])("of %s becomes frames, with causes", (language, text, expected) => {
    expect(summary(text, language)).toEqual(expected);
  });

  test.each([
    ["node", JAVASCRIPT],
    ["python", PYTHON],
    ["java", JAVA],
    ["csharp", DOTNET],
    ["ruby", RUBY],
    ["php", PHP],
  ])("tells that it is of %s by its form", (platform, text) => {
    expect(parseStackText(text, null).platform).toBe(platform);
  });

  test("without a stack in it has no exceptions", () => {
    expect(parseStackText("something went wrong\nsomewhere", null).exceptions).toEqual([]);
    expect(parseStackText("something went wrong", "python").exceptions).toEqual([]);
  });

  test("keeps the line of source that Python shows", () => {
    expect(parseStackText(PYTHON, "python").exceptions[1]?.frames[0]?.context_line).toBe("return levels[item]");
  });

  test("that is hostile is read in no time worth naming", () => {
    const lines = [
      `    at ${"a (".repeat(300)}`,
      `File "${'"'.repeat(900)}`,
      `#0 ${"(".repeat(900)}`,
      `at ${"a.".repeat(450)}(`,
    ];
    const text = Array.from({ length: 5_000 }, (_, at) => lines[at % lines.length]).join("\n");
    expect(parseStackText(text, null).exceptions.length).toBeLessThanOrEqual(20);
  });
});
