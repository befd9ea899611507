// biome-ignore-all lint: what the engines call functions of every kind is the subject; a tidier kind would be another case.
// The app whose errors are recorded. Plain JavaScript on purpose: what the engines call these functions is the subject.
// Each case makes one error that the SDK reports; `main.js` runs the one that the address names.

// ── Functions ───────────────────────────────────────────────────────────────────────────────────────────────────────
function priceOf(item) {
  const rate = item.currency.rate;
  return item.price * rate;
}

function totalOf(items) {
  let total = 0;
  for (const item of items) {
    total += priceOf(item);
  }
  return total;
}

export function plainFunction() {
  const total = totalOf([{ price: 3 }]);
  document.title = String(total);
}

// ── Methods, classes ────────────────────────────────────────────────────────────────────────────────────────────────
const gateway = {
  charge(order) {
    const token = order.card.token.toUpperCase();
    return token;
  },
};

class Cart {
  #discount = null;
  static registry = null;

  constructor(items) {
    this.items = items;
    this.applyLater = () => {
      const value = this.missing.value;
      return value;
    };
  }

  checkout() {
    const receipt = gateway.charge({ items: this.items });
    return receipt;
  }

  get weight() {
    const weight = this.items[0].parcel.weight;
    return weight;
  }

  #applyDiscount() {
    const percent = this.#discount.percent;
    return percent;
  }

  discounted() {
    const percent = this.#applyDiscount();
    return percent;
  }

  static fromStorage() {
    const cart = Cart.registry.get("cart");
    return cart;
  }
}

class Order {
  constructor(cart) {
    this.number = cart.order.number;
  }
}

class GiftOrder extends Order {
  constructor(cart) {
    super(cart);
    this.gift = true;
  }
}

export function method() {
  const receipt = new Cart([]).checkout();
  document.title = receipt;
}

export function constructorCall() {
  const order = new GiftOrder({});
  document.title = order.number;
}

export function getter() {
  const weight = new Cart([{}]).weight;
  document.title = weight;
}

export function privateMethod() {
  const percent = new Cart([]).discounted();
  document.title = percent;
}

export function staticMethod() {
  const cart = Cart.fromStorage();
  document.title = cart;
}

export function arrowField() {
  const value = new Cart([]).applyLater();
  document.title = value;
}

function Ledger() {
  this.rows = null;
}
Ledger.prototype.append = function (row) {
  const length = this.rows.push(row);
  return length;
};
const registry = {};
registry.lookUp = (name) => {
  const found = registry.table[name];
  return found;
};

export function prototypeMethod() {
  const length = new Ledger().append(1);
  document.title = String(length);
}

export function assignedMethod() {
  const found = registry.lookUp("tax");
  document.title = found;
}

export function calledByAnotherName() {
  const till = { ring: gateway.charge };
  const receipt = till.ring({});
  document.title = receipt;
}

// ── Asynchronous ────────────────────────────────────────────────────────────────────────────────────────────────────
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function loadStock(id) {
  await pause(5);
  const count = id.stock.count;
  return count;
}

async function refreshStock() {
  const count = await loadStock({});
  document.title = String(count);
}

export function asyncAwait() {
  refreshStock();
}

export function asyncArrow() {
  const run = async () => {
    await Promise.all(
      [1, 2].map(async (n) => {
        await pause(n);
        const size = registry.boxes.size;
        return size;
      }),
    );
  };
  run();
}

function onQuote(quote) {
  const amount = quote.amount.value;
  return amount;
}

export function promiseThen() {
  Promise.resolve({}).then(onQuote);
}

function refuse(reason) {
  return new Error(`refused: ${reason}`);
}

export function promiseRejection() {
  const error = refuse("no stock");
  Promise.reject(error);
}

export function rejectionWithText() {
  Promise.reject("out of paper 42");
}

export function rejectionWithObject() {
  Promise.reject({ code: 7, why: "paper" });
}

export function timer() {
  setTimeout(function expire() {
    const left = registry.timers.left;
    document.title = left;
  }, 5);
}

export function timerAnonymous() {
  setTimeout(() => {
    const total = totalOf([{ price: 2 }]);
    document.title = String(total);
  }, 5);
}

export function animationFrame() {
  requestAnimationFrame(function draw(at) {
    const frame = registry.canvas.frame(at);
    document.title = frame;
  });
}

// ── Callbacks ───────────────────────────────────────────────────────────────────────────────────────────────────────
export function arrayMap() {
  const labels = [{}].map((item) => {
    const label = item.label.trim();
    return label;
  });
  document.title = labels.join();
}

function compareByName(a, b) {
  const order = a.name.localeCompare(b.name);
  return order;
}

export function arraySortNamed() {
  const sorted = [{}, {}, {}].sort(compareByName);
  document.title = String(sorted.length);
}

export function jsonReviver() {
  const parsed = JSON.parse('{"a":{"b":1}}', function revive(key, value) {
    const kept = key === "b" ? value.deep.er : value;
    return kept;
  });
  document.title = parsed;
}

export function replaceCallback() {
  const text = "a-b".replace(/-/g, function dash(found) {
    const sign = registry.signs[found];
    return sign;
  });
  document.title = text;
}

export function nestedFunctions() {
  function outer() {
    function inner() {
      const depth = registry.depths.inner;
      return depth;
    }
    const depth = inner();
    return depth;
  }
  const depth = outer();
  document.title = depth;
}

export function generator() {
  function* pages() {
    yield 1;
    const next = registry.pages.next;
    yield next;
  }
  for (const page of pages()) document.title = String(page);
}

export function eventHandler() {
  const button = document.createElement("button");
  document.body.append(button);
  button.addEventListener("click", () => {
    const total = totalOf([{ price: 1 }]);
    button.textContent = String(total);
  });
  button.click();
}

export function eventHandlerNamed() {
  const button = document.createElement("button");
  document.body.append(button);
  button.addEventListener("click", function onBuy() {
    const receipt = gateway.charge({});
    button.textContent = receipt;
  });
  button.click();
}

export function eventHandlerProperty() {
  const button = document.createElement("button");
  document.body.append(button);
  button.onclick = () => {
    const receipt = gateway.charge({});
    button.textContent = receipt;
  };
  button.click();
}

export function handleEventObject() {
  const button = document.createElement("button");
  document.body.append(button);
  button.addEventListener("click", {
    handleEvent(event) {
      const receipt = gateway.charge({ event });
      button.textContent = receipt;
    },
  });
  button.click();
}

export function anonymousFunction() {
  (() => {
    (() => {
      const shelf = registry.shelves.first;
      document.title = shelf;
    })();
  })();
}

// ── Recursion, tail calls ───────────────────────────────────────────────────────────────────────────────────────────
function sumTree(node) {
  let sum = node.value.amount;
  for (const child of node.children) {
    sum += sumTree(child);
  }
  return sum;
}

export function recursion() {
  const leaf = { children: [] };
  const sum = sumTree({ value: { amount: 1 }, children: [{ value: { amount: 1 }, children: [leaf] }] });
  document.title = String(sum);
}

function walkEach(node) {
  node.children.forEach((child) => {
    walkEach(child);
  });
}

export function recursionThroughForEach() {
  walkEach({ children: [{ children: [{}] }] });
}

function forever(n) {
  const next = forever(n + 1);
  return next + 1;
}

export function stackOverflow() {
  const end = forever(0);
  document.title = String(end);
}

function parcelOf(order) {
  return gateway.charge(order.parcel);
}

export function tailCall() {
  const parcel = parcelOf({ parcel: {} });
  document.title = parcel;
}

// ── Reported by hand, causes ────────────────────────────────────────────────────────────────────────────────────────
class StockError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = "StockError";
  }
}

function reserve(count) {
  try {
    priceOf({});
  } catch (cause) {
    throw new StockError(`cannot reserve ${count}`, { cause });
  }
}

export function errorWithCause() {
  reserve(Math.floor(Math.random() * 1000));
}

export function aggregate() {
  const failed = [refuse("one"), refuse("two")];
  throw new AggregateError(failed, "some failed");
}

export function captured({ captureException }) {
  try {
    totalOf([{ price: 3 }]);
  } catch (error) {
    captureException(error);
  }
}

export function thrownText() {
  throw "a text of 12 words";
}

export function badJson() {
  const parsed = JSON.parse("<!DOCTYPE html>");
  document.title = parsed;
}

export function unknownVariable() {
  const value = notDeclaredAnywhere + 1;
  document.title = value;
}

async function loadQuote() {
  const answer = await fetch("http://127.0.0.1:1/quote");
  document.title = String(answer.status);
}

export function failedFetch() {
  loadQuote();
}

export function messageWithNumber({ captureMessage }) {
  captureMessage(`stock of article ${Math.floor(Math.random() * 1e6)} is low`);
}
