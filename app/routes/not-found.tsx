import { data } from "react-router";

/** Handles all paths without a route. The frame's error page is shown. */
export function loader() {
  throw data("There is no such page.", { status: 404 });
}

export default function NotFound() {
  return null;
}

export function meta() {
  return [{ title: "No such page · Culprit" }];
}
