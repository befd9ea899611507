import { APIError } from "@better-auth/core/error";
import type { Passkey as NewRow, PasskeyOptions } from "@better-auth/passkey";
import type { Passkey } from "../../domain/people/passkey.ts";
import type { PasskeyStore } from "../../stores/state/passkey-store.ts";
import { currentAttempt } from "../sign-in/attempt.server.ts";
import type { Row, Rows } from "../sign-in/rows.ts";
import { toUserId } from "../sign-in/user-rows.server.ts";
import type { PasskeyAsk } from "./passkey-ask.ts";

/** What is known about an answer. */
interface Seen {
  /** The known passkey that answers. Null: none so far. */
  passkey: Awaited<ReturnType<PasskeyStore["findPasskey"]>>;
  /** Whether the plugin found the answer right. If something fails afterwards, it is not the sender's fault. */
  isRight: boolean;
  isBackedUp: boolean;
  /** The user handle of a new passkey. */
  userHandle: string;
}

/** One question and its answer: the passkeys of one site as better-auth sees them, and the further checks. */
export function createCeremony(passkeys: PasskeyStore, { site, person }: PasskeyAsk) {
  const seen: Seen = { passkey: null, isRight: false, isBackedUp: false, userHandle: "" };

  const rows = {
    async find({ credentialID, userId }) {
      if (typeof credentialID !== "string") {
        const own = await passkeys.listPasskeys(toUserId(String(userId)));
        return own.filter((passkey) => passkey.site === site.host).map(toRow);
      }
      const found = await passkeys.findPasskey(credentialID);
      if (!found || found.site !== site.host || (person !== null && found.userId !== person.id)) return [];
      seen.passkey = found;
      const publicKey = Buffer.from(found.publicKey).toString("base64");
      return [{ ...toRow(found), userId: String(found.userId), publicKey, counter: found.counter }];
    },
    async create(row) {
      const { userId, credentialID, publicKey, counter, transports, backedUp, name = "" } = row as unknown as NewRow;
      const isAdded = await passkeys.addPasskey({
        ...{ userId: toUserId(userId), credentialId: credentialID, userHandle: seen.userHandle, site: site.host },
        ...{ counter, name, isBackedUp: backedUp, createdAt: currentAttempt().now },
        publicKey: Uint8Array.from(Buffer.from(publicKey, "base64")),
        transports: transports ? transports.split(",") : [],
      });
      if (!isAdded) throw refuse("PASSKEY_NOT_ADDED");
      return { ...row, id: credentialID };
    },
    async update({ id }, { counter }) {
      const { passkey, isBackedUp } = seen;
      if (passkey === null || id !== String(passkey.id)) throw new Error(`passkey ${id} has not answered`);
      const use = { passkeyId: passkey.id, counter: passkey.counter, nextCounter: Number(counter), isBackedUp };
      if (!(await passkeys.notePasskeyUse({ ...use, at: currentAttempt().now }))) throw refuse("ANSWER_WAS_USED");
      return { id };
    },
  } satisfies Rows;

  const hooks = {
    authentication: {
      async afterVerification({ verification, clientData }) {
        seen.isRight = true;
        const { userVerified, credentialBackedUp } = verification.authenticationInfo;
        const { userHandle } = clientData.response;
        if (userHandle !== undefined && userHandle !== seen.passkey?.userHandle) throw refuse("PASSKEY_OF_ANOTHER");
        // A passkey alone replaces a password and a code, so the device must check who holds it.
        if (person === null && !userVerified) throw refuse("USER_NOT_VERIFIED");
        seen.isBackedUp = credentialBackedUp;
      },
    },
    registration: {
      async afterVerification({ context }) {
        seen.isRight = true;
        if (!context) throw new Error("the new passkey has no name of its account");
        seen.userHandle = context;
      },
    },
  } satisfies PasskeyOptions;

  return { rows, hooks, seen };
}

function toRow({ id, credentialId, transports, isBackedUp, name, createdAt }: Passkey): Row {
  return {
    ...{ id: String(id), credentialID: credentialId, name, backedUp: isBackedUp, createdAt: new Date(createdAt) },
    // An empty text would be a list with one empty item.
    transports: transports.length === 0 ? null : transports.join(","),
  };
}

/** Makes an error for a reason that the plugin does not have. */
function refuse(code: string): APIError {
  return new APIError("BAD_REQUEST", { code, message: code });
}
