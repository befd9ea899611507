import type { InvitationStore, LinkStore } from "../../state/invitation-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { createStoreMethods } from "../store-methods.ts";
import * as invitations from "./invitations.ts";
import * as resets from "./resets.ts";

/** Invitations and links for new passwords: the store of the people who make them, and of those who use them. */
export function createLinkStores(db: SqliteConnection): { invitations: InvitationStore; links: LinkStore } {
  const { read, write } = createStoreMethods(db);
  return {
    invitations: {
      createInvitation: write(invitations.createInvitation),
      listInvitations: read(invitations.listInvitations),
      noteInvitationMail: write(invitations.noteInvitationMail),
      revokeInvitation: write(invitations.revokeInvitation),
      restoreInvitation: write(invitations.restoreInvitation),
      createReset: write(resets.createReset),
    },
    links: {
      findInvitation: read(invitations.findInvitation),
      findAddress: read(invitations.findAddress),
      acceptInvitation: write(invitations.acceptInvitation),
      joinByInvitation: write(invitations.joinByInvitation),
      findReset: read(resets.findReset),
      takeReset: write(resets.takeReset),
    },
  };
}
