/**
 * Refuses the router's request for data. The router can ask any route for data, at the address with `.data` at its end, and waits for the
 * end of the answer. A stream has no end.
 * @throws a 404 answer
 */
export function refuseDataRequest(request: Request): void {
  if (!new URL(request.url).pathname.endsWith(".data")) return;
  throw new Response("This is a stream of events. Its address has no .data behind it.\n", { status: 404 });
}
