import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

interface Credential {
  id: Buffer;
  rpId: string;
  userHandle: string;
  key: KeyObject;
  counter: number;
}

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest();
const toText = (data: Uint8Array) => Buffer.from(data).toString("base64url");

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
/** It can be in an account of the person's password manager, and is. */
const BACKED_UP = 0x18;
const HAS_CREDENTIAL = 0x40;

/** A device with passkeys and the browser in front of it, which does what it is told: also what no browser would do. */
export function makeSoftAuthenticator() {
  const credentials: Credential[] = [];
  const toClientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const toAuthData = (rpId: string, flags: number, counter: number, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more]);
  };
  return {
    credentials,
    /** The answer to the options of a registration, as JSON. */
    create(
      options: { challenge: string; rp: { id: string }; user: { id: string } },
      { origin, isVerified = true, counter = 1 }: { origin: string; isVerified?: boolean; counter?: number },
    ): string {
      const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const credential = {
        id: randomBytes(32),
        rpId: options.rp.id,
        userHandle: options.user.id,
        key: privateKey,
        counter,
      };
      credentials.push(credential);
      const cose = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")],
        ]),
      );
      const length = Buffer.from([0, credential.id.length]);
      const flags = USER_PRESENT | HAS_CREDENTIAL | (isVerified ? USER_VERIFIED : 0);
      const authData = toAuthData(
        credential.rpId,
        flags,
        credential.counter,
        Buffer.concat([Buffer.alloc(16), length, credential.id, cose]),
      );
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ["fmt", "none"],
        ["attStmt", new Map<string, string>()],
        ["authData", authData],
      ]);
      return JSON.stringify({
        ...{ id: toText(credential.id), rawId: toText(credential.id), type: "public-key", clientExtensionResults: {} },
        response: {
          clientDataJSON: toText(toClientData("webauthn.create", options.challenge, origin)),
          attestationObject: toText(isoCBOR.encode(attestation)),
          transports: ["internal"],
        },
      });
    },
    /** The answer of one of its passkeys to the options of a sign-in, as JSON. */
    get(
      options: { challenge: string },
      {
        origin,
        isVerified = true,
        isBackedUp = false,
        passkey = 0,
        counterStep = 1,
      }: { origin: string; isVerified?: boolean; isBackedUp?: boolean; passkey?: number; counterStep?: number },
    ): string {
      const credential = credentials[passkey];
      if (!credential) throw new Error("there is no such passkey");
      credential.counter += counterStep;
      const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (isBackedUp ? BACKED_UP : 0);
      const authData = toAuthData(credential.rpId, flags, credential.counter);
      const clientData = toClientData("webauthn.get", options.challenge, origin);
      const signature = sign("sha256", Buffer.concat([authData, sha256(clientData)]), credential.key);
      return JSON.stringify({
        ...{ id: toText(credential.id), rawId: toText(credential.id), type: "public-key", clientExtensionResults: {} },
        response: {
          clientDataJSON: toText(clientData),
          authenticatorData: toText(authData),
          signature: toText(signature),
          userHandle: credential.userHandle,
        },
      });
    },
  };
}
