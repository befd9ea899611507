import type { InvitationStore, LinkStore } from "../../state/invitation-store.ts";
import type { SqliteConnection } from "../connection.ts";
import * as invitations from "./invitations.ts";
import * as resets from "./resets.ts";

/** Invitations and links for new passwords: the store of the people who make them, and of those who use them. */
export function createLinkStores(db: SqliteConnection): { invitations: InvitationStore; links: LinkStore } {
  return {
    invitations: {
      createInvitation: (...input) => db.write(() => invitations.createInvitation(db, ...input)),
      listInvitations: async (...input) => db.read(() => invitations.listInvitations(db, ...input)),
      noteInvitationMail: (...input) => db.write(() => invitations.noteInvitationMail(db, ...input)),
      revokeInvitation: (...input) => db.write(() => invitations.revokeInvitation(db, ...input)),
      restoreInvitation: (...input) => db.write(() => invitations.restoreInvitation(db, ...input)),
      createReset: (...input) => db.write(() => resets.createReset(db, ...input)),
    },
    links: {
      findInvitation: async (...input) => db.read(() => invitations.findInvitation(db, ...input)),
      findAddress: async (...input) => db.read(() => invitations.findAddress(db, ...input)),
      acceptInvitation: (...input) => db.write(() => invitations.acceptInvitation(db, ...input)),
      joinByInvitation: (...input) => db.write(() => invitations.joinByInvitation(db, ...input)),
      findReset: async (...input) => db.read(() => resets.findReset(db, ...input)),
      takeReset: (...input) => db.write(() => resets.takeReset(db, ...input)),
    },
  };
}
