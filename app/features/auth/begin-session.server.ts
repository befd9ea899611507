import { redirect } from "react-router";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { rememberBrowser } from "./known-browser.server.ts";
import { createSession, type NewSession } from "./session.server.ts";

/** Signs the user in, remembers the browser, and gives the redirect that carries both cookies. */
export async function beginSession(people: PeopleStore, to: string, who: NewSession): Promise<Response> {
  const headers = new Headers();
  headers.append("set-cookie", await createSession(people, who));
  headers.append("set-cookie", await rememberBrowser(people, who));
  return redirect(to, { headers });
}
