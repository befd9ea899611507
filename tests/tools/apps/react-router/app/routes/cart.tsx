import { useState } from "react";
import { Link, useLoaderData } from "react-router";
import { type Cart, totalOf } from "../total.ts";

export function loader(): Cart {
  return { prices: [20, 15] };
}

export default function CartPage() {
  const cart = useLoaderData<typeof loader>();
  const [isReceiptShown, showReceipt] = useState(false);
  return (
    <main>
      <h1>Cart</h1>
      <button type="button" onClick={() => pay(cart)}>
        Pay
      </button>
      <button type="button" onClick={() => showReceipt(true)}>
        Show the receipt
      </button>
      <Link to="/orders/17">An order</Link>
      {isReceiptShown && <Receipt lines={null} />}
    </main>
  );
}

function pay(cart: Cart): void {
  const total = totalOf(cart);
  document.title = `Paid ${total}`;
}

function Receipt({ lines }: { lines: string[] | null }) {
  const items = (lines as string[]).map((line) => <li key={line}>{line}</li>);
  return <ul>{items}</ul>;
}
