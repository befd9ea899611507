import { expect, test } from "vitest";
import { parameterizeMessage } from "./parameterize-message.ts";

test.each([
  ["order 01ARZ3NDEKTSV4RRFFQ69G5FAV failed", "order <ulid> failed"],
  ["session V1StGXR8_Z5jdHi6B-myT is gone", "session <nanoid> is gone"],
  ["no such charge: ch_3MtwBwLkdIwHu7ix28a3tqPa", "no such charge: <id>"],
  ["No such customer: 'cus_NffrFeUfNV2Hib'", "No such customer: '<id>'"],
  ["key sk_test_4eC39HqLyjWDarjtT1zdp7dc refused", "key <id> refused"],
  ["device 00:1A:2b:3c:4D:5e left", "device <mac> left"],
  ["token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9 expired", "token <base64> expired"],
  ["body aGVsbG8gd29ybGQgaGVsbG8= is bad", "body <base64> is bad"],
  ["pod api-7d4b9c6f5d-x2x7k was evicted", "pod <pod> was evicted"],
  ["cannot write /tmp/upload-8f3/part.bin: full", "cannot write <temp_path>: full"],
  ["cannot open C:\\Users\\ada\\AppData\\Local\\Temp\\x1.dat", "cannot open <temp_path>"],
  ["10MB is more than 512 KiB", "<size> is more than <size>"],
  ["needs v1.2.3, has 2.0.1-beta.4", "needs <version>, has <version>"],
  ["item_1234 is locked by cart_item_99881", "item_<int> is locked by cart_item_<int>"],
  ["savepoint s140234567890_x12 does not exist", "savepoint <savepoint> does not exist"],
  ["savepoint active_record_3 does not exist", "savepoint <savepoint> does not exist"],
])("%s", (message, words) => {
  expect(parameterizeMessage(message)).toBe(words);
});

test.each([
  "error_404 in utf8 and h264",
  "OAuth2AuthenticationSuccessHandlerImpl failed",
  "src/components/CartList2/Item.tsx is missing",
  "re_AuthenticationFailed and sub_Script1Ended and in_transit_2_warehouses",
  "get_OAuth2AuthenticationToken failed",
  "well-known-name is not allowed",
])("a name stays: %s", (message) => {
  expect(parameterizeMessage(message)).toBe(message);
});

test("what version 1 replaces is replaced: addresses and dates before versions", () => {
  expect(parameterizeMessage("10.0.0.1 at 2024-05-01 12:00:00 of ada@example.com took 12ms, 3.5 of 7")).toBe(
    "<ip> at <date> of <email> took <duration>, <float> of <int>",
  );
});

test("long words of one kind cost no more than others", () => {
  for (const word of ["aA0_", "a-", "A1b/", "0-", "a.b-"]) {
    const text = word.repeat(2_000);
    expect(parameterizeMessage(text).length).toBeLessThanOrEqual(1_024);
  }
});
