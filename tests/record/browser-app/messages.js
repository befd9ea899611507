// biome-ignore-all lint: the snippets are text, evaluated indirectly so that they stay what they are.
// What the engine says about the same mistakes. Source text is evaluated, so that names stay what they are here.
export const SNIPPETS = {
  readUndefined: "const cart = {}; cart.items.first",
  readNull: "const cart = { items: null }; cart.items.first",
  readUndefinedVariable: "let cart; cart.items",
  readIndex: "const cart = {}; cart.items[0]",
  readComputed: "const cart = {}; const key = 'total'; cart.items[key]",
  readOfCall: "const load = () => undefined; load().items",
  readDeep: "const a = { b: {} }; a.b.c.d.e",
  writeUndefined: "const cart = {}; cart.items.first = 1",
  writeNull: "const cart = null; cart.first = 1",
  callUndefinedMethod: "const cart = {}; cart.pay()",
  callUndefinedVariable: "let pay; pay()",
  callNumber: "const cart = { pay: 1 }; cart.pay()",
  callOfCall: "const load = () => ({}); load().pay()",
  callMethodOfUndefined: "const cart = {}; cart.items.map((x) => x)",
  callMethodOfNull: "document.querySelector('#none').addEventListener('x', () => {})",
  notConstructor: "const Cart = {}; new Cart()",
  notDefined: "cartOfNobody.items",
  notIterable: "const cart = {}; for (const x of cart) x",
  notIterableUndefined: "let cart; for (const x of cart) x",
  spreadUndefined: "let cart; [...cart]",
  destructureUndefined: "let cart; const { items } = cart",
  destructureNull: "const cart = null; const { items } = cart",
  destructureArrayUndefined: "let cart; const [first] = cart",
  destructureParameter: "(({ items }) => items)(undefined)",
  assignConst: "const cart = 1; cart = 2",
  beforeInit: "cart; let cart = 1",
  frozen: "'use strict'; Object.freeze([]).push(1)",
  frozenProperty: "'use strict'; const cart = Object.freeze({ items: 1 }); cart.items = 2",
  setterMissing: "'use strict'; const cart = { get items() { return 1 } }; cart.items = 2",
  inOperator: "'a' in 'text'",
  instanceOf: "({}) instanceof undefined",
  instanceOfNotCallable: "({}) instanceof ({})",
  overflow: "const f = () => 1 + f(); f()",
  invalidArrayLength: "new Array(-1)",
  toFixedRange: "(1).toFixed(101)",
  repeatRange: "'a'.repeat(-1)",
  invalidDate: "new Date(NaN).toISOString()",
  jsonHtml: "JSON.parse('<!DOCTYPE html>')",
  jsonEmpty: "JSON.parse('')",
  jsonUndefined: "JSON.parse(undefined)",
  jsonTruncated: "JSON.parse('{\"a\":')",
  jsonTrailing: "JSON.parse('{\"a\":1}x')",
  jsonCircular: "const cart = {}; cart.self = cart; JSON.stringify(cart)",
  bigintMix: "1n + 1",
  bigintJson: "JSON.stringify({ a: 1n })",
  symbolToString: "`${Symbol('a')}`",
  nullToObject: "Object.keys(null)",
  reduceEmpty: "[].reduce((a, b) => a + b)",
  superTwice: "class A {} class B extends A { constructor() { this.x = 1; } } new B()",
  classCall: "class Cart {} Cart()",
  invalidRegExp: "new RegExp('(')",
  uri: "decodeURIComponent('%')",
  atob: "atob('%')",
  selector: "document.querySelector('..')",
  invalidUrl: "new URL('nope')",
  appendChild: "document.body.appendChild({})",
  removeChild: "document.body.removeChild(document.createElement('a'))",
  insertBefore: "document.body.insertBefore(document.createElement('a'), document.createElement('b'))",
  structuredClone: "structuredClone(() => 1)",
  unexpectedToken: "}",
  unexpectedEnd: "(",
};

export function collectMessages() {
  const messages = {};
  for (const [name, source] of Object.entries(SNIPPETS)) {
    try {
      (0, eval)(source);
      messages[name] = null;
    } catch (error) {
      messages[name] = { type: error.name, value: error.message };
    }
  }
  return messages;
}
