import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [index("routes/cart.tsx"), route("orders/:number", "routes/order.tsx")] satisfies RouteConfig;
