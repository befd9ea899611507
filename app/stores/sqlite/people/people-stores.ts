import type { MemberStore } from "../../state/member-store.ts";
import type { PeopleStore } from "../../state/people-store.ts";
import type { SavedViewStore } from "../../state/saved-view-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { createStoreMethods } from "../store-methods.ts";
import { getAccess } from "./access.ts";
import * as knownBrowsers from "./known-browsers.ts";
import * as members from "./members.ts";
import * as people from "./people.ts";
import * as savedViews from "./saved-views.ts";
import * as sessions from "./sessions.ts";
import { setUp } from "./set-up.ts";
import * as teams from "./teams.ts";

export function createPeopleStores(
  db: SqliteConnection,
  now: () => number,
): {
  people: PeopleStore;
  members: MemberStore;
  savedViews: SavedViewStore;
} {
  const { read, write } = createStoreMethods(db);
  return {
    people: {
      getOrganization: read(people.getOrganization),
      setUp: write(setUp),
      createMember: write(people.addMember),
      getUser: read(people.getUser),
      getAccess: read(getAccess),
      findCredentials: read(people.findCredentials),
      getOwner: read(people.getOwner),
      listUsers: read(people.listUsers),
      changeProfile: write(people.changeProfile),
      makeOwner: write(people.makeOwner),
      listSessions: read(sessions.listSessions),
      endSession: write(sessions.endSession),
      changePassword: write(people.changePassword),
      createSession: write(sessions.createSession),
      getSession: read(sessions.getSession),
      renewSession: write(sessions.renewSession),
      extendSession: write(sessions.extendSession),
      deleteOtherSessions: write(sessions.deleteOtherSessions),
      deleteSession: write(sessions.deleteSession),
      getSignInOrigin: read(sessions.getSignInOrigin),
      saveSignInOrigin: write(sessions.saveSignInOrigin),
      deleteExpiredSessions: write(sessions.deleteExpiredSessions),
      isKnownBrowser: read(knownBrowsers.isKnownBrowser),
      rememberBrowser: write(knownBrowsers.rememberBrowser),
      forgetOtherBrowsers: write(knownBrowsers.forgetOtherBrowsers),
    },
    members: {
      listMembers: read(members.listMembers),
      getMember: read(members.getMember),
      changeMember: async (scope, change) => db.write(() => members.changeMember(db, scope, change, now())),
      removeMember: write(members.removeMember),
      restoreMember: write(members.restoreMember),
      resetSecondFactor: write(members.resetSecondFactor),
      disconnectMember: write(members.disconnectMember),
      isSecondFactorRequired: async () => db.read(() => people.getOrganization(db)?.requiresSecondFactor ?? false),
      requireSecondFactor: write(members.requireSecondFactor),
      renameOrganization: write(members.renameOrganization),
      listTeams: read(teams.listTeams),
      getTeam: read(teams.getTeam),
      createTeam: write(teams.createTeam),
      changeTeam: async (scope, change) => db.write(() => teams.changeTeam(db, scope, change, now())),
      deleteTeam: write(teams.deleteTeam),
    },
    savedViews: {
      listViews: read(savedViews.listViews),
      createView: write(savedViews.createView),
      changeView: write(savedViews.changeView),
      moveView: write(savedViews.moveView),
      deleteView: write(savedViews.deleteView),
      setDefaultView: write(savedViews.setDefaultView),
      restoreDefaults: write(savedViews.restoreDefaults),
    },
  };
}
