import { describe, expect, test } from "vitest";
import { parameterizeMessage } from "./parameterize-message.ts";

describe("what differs between occurrences is replaced by what it is", () => {
  test.each([
    ["user 12 not found", "user <int> not found"],
    ["user -12 not found", "user <int> not found"],
    ["1,234,567 rows", "<int> rows"],
    ["order #4711 failed", "order #<int> failed"],
    ["GET /users/17/orders/9", "GET /users/<int>/orders/<int>"],
    ["row-12 is bad", "row-<int> is bad"],
    ["took 1.5 of 20.25", "took <float> of <float>"],
    ["scale is 1e-9", "scale is <float>"],
    ["slow query: 120ms", "slow query: <duration>"],
    ["slow query: 1.5s, limit 30 seconds", "slow query: <duration>, limit <duration>"],
    ["mail to ada.lovelace+x@mail.example.com bounced", "mail to <email> bounced"],
    ["<ada@example.com> is unknown", "<<email>> is unknown"],
    ["cannot load https://shop.example/cart/7?x=1#y.", "cannot load <url>."],
    ["cannot open ws://10.0.0.1:80/x, giving up", "cannot open <url>, giving up"],
    ["lookup of db-3.eu.example.com failed", "lookup of <hostname> failed"],
    ["no route to cart-7f9c.shop.svc.cluster.local", "no route to <hostname>"],
    ["refused by 10.12.0.3:5432", "refused by <ip>:<int>"],
    ["refused by fe80::1ff:fe23:4567:890a", "refused by <ip>"],
    ["refused by 2001:0db8:85a3:0000:0000:8a2e:0370:7334", "refused by <ip>"],
    ["listening on ::1", "listening on <ip>"],
    ["trace 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "trace <traceparent>"],
    ["trace 1-67891233-abcdef012345678912345678", "trace <traceparent>"],
    ["job 9ec79c33-ec99-42ab-8353-589fcb2e04dc", "job <uuid>"],
    ["job 9EC79C33-EC99-42AB-8353-589FCB2E04DC", "job <uuid>"],
    ["commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12", "commit <sha1>"],
    ["digest 9e107d9d372bb6826bd81d3542a419d6", "digest <md5>"],
    ["at 2026-01-02T03:04:05.678Z", "at <date>"],
    ["at 2026-01-02 03:04:05,123", "at <date>"],
    ["at 2026-01-02T03:04:05+01:00", "at <date>"],
    ["on 2026-01-02", "on <date>"],
    ["on 02.01.2026", "on <date>"],
    ["since Fri, 02 Jan 2026 03:04:05 GMT", "since <date>"],
    ["since Friday, 02-Jan-26 03:04:05 UTC", "since <date>"],
    ["since 02 Jan 26 03:04 UTC", "since <date>"],
    ["since Fri Jan 02 2026 03:04:05 GMT+0100 (Central European Standard Time)", "since <date>"],
    ["since Fri Jan  2 03:04:05 2026", "since <date>"],
    ["due Fri Jan 02, 2026", "due <date>"],
    ["opens 09:30 AM", "opens <date>"],
    ["got datetime.datetime(2026, 1, 2, 3, 4)", "got <date>"],
    ["txn tx21e7a1f3c5b8d9e0a2b4c-0053a1b2c3-lon3", "txn <swift_txn_id>"],
    ["at address 0x7f0a1c2d3e4f", "at address <hex>"],
    ["session 5f2b9c1de4 expired", "session <hex> expired"],
    ["session 5F2B9C1DE4 expired", "session <hex> expired"],
    ["deployed a1b2c3d", "deployed <git_sha>"],
    ["name='Ada' is taken", "name=<quoted_str> is taken"],
    ['name="Ada L." is taken', "name=<quoted_str> is taken"],
    ["dry_run=true retries=3", "dry_run=<bool> retries=<int>"],
    ["dry_run=False", "dry_run=<bool>"],
  ])("%s", (message, expected) => {
    expect(parameterizeMessage(message)).toBe(expected);
  });
});

describe("what names the problem is kept", () => {
  test.each([
    "utf8 codec can't decode",
    "error_404 in h264",
    "v1beta2 is not supported",
    "console.info is not a function",
    "cart.items.app is undefined",
    "e.de is not a function",
    "index.js is missing",
    "std::vector is empty",
    "a::b is not in scope",
    "decade facade",
    "abcdefab is no word with a digit",
    "say 'hello' to \"you\"",
    "the answer is true",
    "12px wide, the 3rd",
    "deadbeef",
    "user@",
    "Monday was worse",
  ])("%s", (message) => {
    expect(parameterizeMessage(message)).toBe(message);
  });

  test("different words stay different", () => {
    expect(parameterizeMessage("user 1 not found")).not.toBe(parameterizeMessage("order 1 not found"));
    expect(parameterizeMessage("cannot read price")).not.toBe(parameterizeMessage("cannot read total"));
    expect(parameterizeMessage("took 5")).not.toBe(parameterizeMessage("took 5ms"));
  });
});

describe("of a long message, the beginning counts", () => {
  test("the first two lines that are not empty", () => {
    expect(parameterizeMessage("\n first \r\n\n  second\n")).toBe("first\nsecond");
    expect(parameterizeMessage("first\nsecond\nthird")).toBe("first\nsecond...");
  });

  test("a value that crosses the limit does not leave a part of itself", () => {
    const id = "9ec79c33-ec99-42ab-8353-589fcb2e04dc";
    expect(parameterizeMessage(`${id} `.repeat(80))).toBe(Array(55).fill("<uuid>").join(" "));
    expect(parameterizeMessage("word ".repeat(800))).toHaveLength(1_024);
  });

  test("a megabyte made to be slow costs no more than two thousand characters", () => {
    for (const part of [
      "a.",
      "a@a.",
      "1:",
      "1.",
      "::",
      "00-",
      "Mon, ",
      "datetime.datetime(",
      "='",
      "0",
      "f0",
      "a.com.",
    ]) {
      expect(parameterizeMessage(part.repeat(1_000_000 / part.length)).length).toBeLessThanOrEqual(1_024);
    }
  });
});
