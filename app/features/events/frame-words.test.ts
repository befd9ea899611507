import { expect, test } from "vitest";
import { toFramePlace, toFramePosition } from "./frame-words.ts";

test.each([
  ["a file goes before a module", { filename: "src/cart.ts", module: "src.cart" }, "src/cart.ts"],
  ["of Java, the package stays", { filename: "Cart.java", module: "com.shop.cart.Cart" }, "com.shop.cart.Cart"],
  ["of Java without a file's name, the class, however short", { filename: "SourceFile", module: "a.c" }, "a.c"],
  ["of Kotlin, also without a file", { module: "com.shop.cart.Cart$Companion" }, "com.shop.cart.Cart$Companion"],
  ["of Go, the file goes before the module", { module: "main", abs_path: "/src/shop/cmd/main.go" }, "cmd/main.go"],
  ["a short path is whole", { module: "main", abs_path: "/app/main.go" }, "/app/main.go"],
  ["an address of the web is whole", { abs_path: "https://shop.example/a/b/c.js" }, "https://shop.example/a/b/c.js"],
  ["of machine code, the image", { package: "/data/app/lib/arm64/libpay.so" }, "libpay.so"],
  ["nothing known", { function: "f" }, null],
])("the place of a frame: %s", (_, frame, place) => {
  expect(toFramePlace(frame)).toBe(place);
});

test("the position is a line, or the distance from the start of the image", () => {
  expect(toFramePosition({ lineno: 14, colno: 42 })).toBe(":14:42");
  expect(toFramePosition({ instruction_addr: "0x7f001c4f0", image_addr: "0x7f0000000" })).toBe(" +0x1c4f0");
  expect(toFramePosition({ instruction_addr: "junk", image_addr: "0x1" })).toBe("");
  expect(toFramePosition({ instruction_addr: "0x1", image_addr: "0x2" })).toBe("");
});
