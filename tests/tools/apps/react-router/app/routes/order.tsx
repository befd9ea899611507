import { useLoaderData } from "react-router";

interface Order {
  number: string;
  lines: string[];
}

const orders = new Map<string, Order>();

function findOrder(number: string): Order {
  const order = orders.get(number);
  if (!order) throw new Error(`order ${number} is not in the books`);
  return order;
}

export async function loader({ params }: { params: { number: string } }) {
  return findOrder(params.number);
}

export default function OrderPage() {
  const order = useLoaderData<typeof loader>();
  return <h1>Order {order.number}</h1>;
}
