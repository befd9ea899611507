import { data } from "react-router";

/** Takes all paths without a route. The page itself is the frame's error page. */
export function loader() {
  throw data("There is no such page.", { status: 404 });
}

export default function NotFound() {
  return null;
}

export function meta() {
  return [{ title: "No such page · Culprit" }];
}
