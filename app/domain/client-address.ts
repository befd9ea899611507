/** The part of `node:http`'s IncomingMessage that says who sent it. */
export interface AddressedRequest {
  headers: { readonly [name: string]: string | string[] | undefined };
  socket: { remoteAddress?: string | undefined };
}

/** The longest IPv6 address, in brackets and with a port. */
const MAX_ADDRESS_CHARS = 53;

/**
 * The sender's address: that of the socket, or with `trustProxy` the first one in `X-Forwarded-For`, which the operator's own proxy
 * wrote. IPv4 addresses have their own form even if the socket uses IPv6. Null: the socket is gone.
 */
export function readClientAddress({ headers, socket }: AddressedRequest, trustProxy: boolean): string | null {
  if (trustProxy) {
    const forwarded = headers["x-forwarded-for"];
    const list = Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "");
    const first = (list.split(",", 1)[0] ?? "").trim();
    if (first !== "" && first.length <= MAX_ADDRESS_CHARS) return unmapped(withoutPort(first));
  }
  return socket.remoteAddress === undefined ? null : unmapped(socket.remoteAddress);
}

function unmapped(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  return address.replace(/^\[(.+)\](?::\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}
