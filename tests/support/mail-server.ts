import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As it came over the wire: headers and parts. */
  raw: string;
}

/** What the server says to a recipient; absent: it takes the mail. */
export interface MailServerOptions {
  refuse?: (address: string) => { code: number; message: string } | null;
  /** Whoever sends must sign in with these. */
  account?: { user: string; password: string };
  /** Held back before the mail is taken. */
  delayMs?: number;
}

/** A real SMTP server on the loopback that keeps what it takes. */
export async function startMailServer(options: MailServerOptions = {}) {
  const received: ReceivedMail[] = [];
  const { account } = options;
  const server = new SMTPServer({
    disabledCommands: account ? ["STARTTLS"] : ["STARTTLS", "AUTH"],
    authOptional: account === undefined,
    allowInsecureAuth: true,
    onAuth({ username, password }, _, done) {
      if (username === account?.user && password === account?.password) done(null, { user: username });
      else done(Object.assign(new Error(`535 wrong password ${password}`), { responseCode: 535 }));
    },
    onRcptTo({ address }, _, done) {
      const refusal = options.refuse?.(address) ?? null;
      done(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(parts).toString("utf8"),
        });
        setTimeout(() => done(null, "queued"), options.delayMs ?? 0);
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("the mail server has no port");
  const credentials = account ? `${encodeURIComponent(account.user)}:${encodeURIComponent(account.password)}@` : "";
  return {
    received,
    url: `smtp://${credentials}127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
}

/** The value of a header, unfolded; encoded words are decoded. */
export function headerOf({ raw }: ReceivedMail, name: string): string {
  const head = raw.slice(0, raw.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  const line = head.split("\r\n").find((text) => text.toLowerCase().startsWith(`${name.toLowerCase()}:`)) ?? "";
  const value = line.slice(name.length + 1).trim();
  return value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?(q|b)\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(text, "base64").toString("utf8")
        : decodeQuoted(text.replaceAll("_", " ")),
    );
}

/** The texts of the parts, by their type. */
export function partsOf({ raw }: ReceivedMail): Record<string, string> {
  const boundary = /boundary="?([^"\r\n;]+)/.exec(raw)?.[1] ?? "";
  const parts: Record<string, string> = {};
  for (const part of raw.split(`--${boundary}`)) {
    const [head = "", ...body] = part.split("\r\n\r\n");
    const type = /content-type: ([^;\r\n]+)/i.exec(head)?.[1];
    if (type === undefined || type.startsWith("multipart/")) continue;
    const text = body.join("\r\n\r\n");
    const encoding = /content-transfer-encoding: (\S+)/i.exec(head)?.[1]?.toLowerCase();
    parts[type] =
      encoding === "base64"
        ? Buffer.from(text, "base64").toString("utf8")
        : encoding === "quoted-printable"
          ? decodeQuoted(text.replace(/=\r\n/g, ""))
          : text;
  }
  return parts;
}

function decodeQuoted(text: string): string {
  return Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");
}
