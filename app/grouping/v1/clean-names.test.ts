import { describe, expect, test } from "vitest";
import { cleanFilename, cleanFunction, cleanModule } from "./clean-names.ts";

describe("a JavaScript function has one name in every engine", () => {
  test.each([
    ["Cart.checkout", "checkout"],
    ["Cart.prototype.checkout", "checkout"],
    ["Object.charge [as ring]", "charge"],
    ["new Cart", "Cart"],
    ["new shop.Cart", "Cart"],
    ["get weight", "weight"],
    ["Cart.get weight [as weight]", "weight"],
    ["async run", "run"],
    ["async Module.run", "run"],
    ["async*run", "run"],
    ["promise callback*run", "run"],
    ["setTimeout handler*Cart.expire", "expire"],
    ["outer/inner", "inner"],
    ["Cart/this.applyLater", "applyLater"],
    ["eventHandlerProperty/button.onclick", "onclick"],
    ["HTMLButtonElement.onBuy", "onBuy"],
    ["Basket.[Symbol.iterator]", "Symbol.iterator"],
    ["#applyDiscount", "#applyDiscount"],
    ["checkout$2", "checkout"],
    ["$", "$"],
    ["Foo.bound save", "save"],
  ])("%s is %s", (raw, name) => {
    expect(cleanFunction(raw, "javascript")).toBe(name);
  });

  test.each([
    "?",
    "",
    "<anonymous>",
    "Object.<anonymous>",
    "HTMLButtonElement.<anonymous>",
    "anonymousFunction/<",
    "arrayMap/labels<",
    "instrumentFetch/</<",
    "global code",
    "module code",
    "eval",
    "handlers.<computed>",
    "handlers[key]",
    "Anonymous function",
    "<instance_members_initializer>",
  ])("%s is no name", (raw) => {
    expect(cleanFunction(raw, "javascript")).toBeNull();
  });
});

describe("a native function loses what does not name it", () => {
  test.each([
    ["int foo(char const*)", "foo"],
    ["void ns::Foo<int>::bar(std::vector<int> const&) const", "ns::Foo::bar"],
    ["std::ostream& operator<<(std::ostream&, Foo const&)", "operator<<"],
    ["Foo::operator()(int) const", "Foo::operator()"],
    ["foo::bar::{lambda(int)#2}::operator()(int) const", "foo::bar::lambda::operator()"],
    ["(anonymous namespace)::helper(int)", "`anonymous namespace'::helper"],
    ["WEBIO::`scalar deleting destructor'", "WEBIO::`scalar deleting destructor'"],
    ["malloc@@GLIBC_2.2.5", "malloc"],
    ["foo.isra.0.constprop.1", "foo"],
    ["shop::main::{{closure}}::h0123456789abcdef", "shop::main::{{closure}}"],
    ["<alloc::boxed::Box<F> as futures::future::Future>::poll", "alloc::boxed::Box::poll"],
    ["core::str::<impl str>::parse", "core::str::parse"],
    ["-[Foo bar:baz:]", "-[Foo bar:baz:]"],
    ["__29-[Foo bar:]_block_invoke_2", "-[Foo bar:]_block_invoke"],
    ["closure #1 in ViewController.viewDidLoad()", "closure #1 in ViewController.viewDidLoad"],
    ["static App.main() -> ()", "App.main"],
    ["operator new(unsigned long)", "operator new"],
  ])("%s is %s", (raw, name) => {
    expect(cleanFunction(raw, "native")).toBe(name);
  });

  test.each(["<redacted>", "<unknown>", "??"])("%s is no name", (raw) => {
    expect(cleanFunction(raw, "native")).toBeNull();
  });

  test("brackets without end do not hang or throw", () => {
    for (const raw of ["<".repeat(900), "<".repeat(400) + ">".repeat(400), "f(".repeat(400), "operator".repeat(100)]) {
      expect(() => cleanFunction(raw, "native")).not.toThrow();
    }
  });
});

describe("generated names lose their numbers", () => {
  test.each([
    ["com.shop.Cart$$Lambda$417/0x0000000800d3c440", "com.shop.Cart"],
    ["com.shop.Cart$$EnhancerBySpringCGLIB$$8f0a1b2c", "com.shop.Cart"],
    ["com.shop.Cart$$FastClassBySpringCGLIB$$8f0a1b2c", "com.shop.Cart"],
    ["com.shop.Cart$$SpringCGLIB$$0", "com.shop.Cart"],
    ["com.shop.Cart_$$_jvst8d2_0", "com.shop.Cart"],
    ["com.shop.Cart_$$_javassist_12", "com.shop.Cart"],
    ["com.shop.Cart$HibernateProxy$a1b2", "com.shop.Cart"],
    ["sun.reflect.GeneratedMethodAccessor81", "sun.reflect.GeneratedMethodAccessor"],
    ["com.sun.proxy.$Proxy112", "com.sun.proxy.$Proxy"],
    ["shop.core$fn__4821", "shop.core$fn"],
    ["com.shop.Cart$Item", "com.shop.Cart$Item"],
  ])("Java module %s is %s", (raw, name) => {
    expect(cleanModule(raw, "java")).toBe(name);
  });

  test.each([
    ["java", "lambda$checkout$3", null],
    ["java", "access$000", "access$"],
    ["php", "[Anonymous function]", null],
    ["php", "class@anonymous/srv/a.php:14$0", null],
    ["php", "class@anonymous/srv/a.php:14$0::of", "of"],
    ["php", "App\\Price@anonymous\0/srv/a.php:14$0::of", "of"],
    ["php", "App\\Cart::{closure:App\\Cart::show():12}", "App\\Cart::{closure:App\\Cart::show()}"],
    ["ruby", "block (2 levels) in call", "block"],
    ["ruby", "_app_views_carts_show_html_erb___2312876328715_4820", "_app_views_carts_show_html_erb"],
    ["csharp", "ThrowNull ()", "ThrowNull"],
    ["csharp", "<Total>b__0_1 (Item item)", "<Total>b__"],
    ["go", "decode[...]", "decode"],
    ["python", "<lambda>", "<lambda>"],
  ] as const)("%s function %s is %s", (family, raw, name) => {
    expect(cleanFunction(raw, family)).toBe(name);
  });

  test("a C# state machine keeps its method and loses its number", () => {
    expect(cleanModule("Shop.CartController+<Show>d__12", "csharp")).toBe("Shop.CartController+<Show>d__");
    expect(cleanModule("Shop.Cart+<>c__DisplayClass4_0", "csharp")).toBe("Shop.Cart+<>c__DisplayClass");
  });
});

describe("a file is its last name in lower case", () => {
  test.each([
    ["python", "shop/Views.py", "views.py"],
    ["csharp", "C:\\src\\Cart.cs", "cart.cs"],
    ["javascript", "app:///static/main.4f9a8b2c.chunk.js", "main.chunk.js"],
    ["javascript", "app:///shop-C8vQ2k1x.js?v=2", "shop.js"],
    ["javascript", "/srv/user-settings.js", "user-settings.js"],
    ["javascript", "/srv/settings-20260102.js", "settings-20260102.js"],
  ] as const)("%s %s is %s", (family, raw, name) => {
    expect(cleanFilename(raw, family)).toBe(name);
  });

  test.each([
    "https://shop.example/a.js",
    "file:///srv/a.js",
    "blob:https://shop.example/1",
    "<anonymous>",
    "[native code]",
    "",
  ])("%s is not a name", (raw) => {
    expect(cleanFilename(raw, "javascript")).toBeNull();
  });
});
