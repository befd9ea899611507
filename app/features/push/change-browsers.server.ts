import type { Workspace } from "../../access/workspace.ts";
import { MAX_PUSH_SUBSCRIPTIONS, readPushSubscription } from "../../domain/push/push-subscription.ts";
import type { User } from "../../domain/user.ts";
import { describeBrowser } from "../auth/describe-browser.ts";
import { type PushResult, refusePush } from "./push-result.ts";

/** The longest form. The JSON of a subscription is a third of this. */
const MAX_FORM_LENGTH = 4_000;

/** Adds the browser of this request, which gets messages from now on. */
export async function subscribeBrowser(
  { state, notifications }: Workspace,
  { viewer, form, userAgent, now }: { viewer: User; form: FormData; userAgent: string | null; now: number },
): Promise<PushResult> {
  const subscription = readPushSubscription(parse(String(form.get("subscription") ?? "")));
  if (subscription === null) return refusePush(400, "The browser sent no subscription that a message can be made for.");
  if (!subscription.endpoint.startsWith("https:") && !notifications.allowsPrivate)
    return refusePush(400, "The address of the browser’s push service must begin with https.");
  const browser = describeBrowser(userAgent);
  const id = await state.push.subscribe(viewer.id, { ...subscription, browser }, now);
  if (id === null)
    return refusePush(409, `You are told in ${MAX_PUSH_SUBSCRIPTIONS} browsers, which is the limit. Remove one first.`);
  return { ok: true, done: "You are told in this browser from now on." };
}

/**
 * Replaces the address of a browser. The service worker calls this when the push service gives a new address. A browser of another user
 * stays theirs. A browser that is no longer known, because its former address had expired, is added again.
 */
export async function renewBrowser(
  workspace: Workspace,
  change: { viewer: User; form: FormData; userAgent: string | null; now: number },
): Promise<PushResult> {
  const { state } = workspace;
  const former = String(change.form.get("former") ?? "").slice(0, MAX_FORM_LENGTH);
  const known = former === "" ? null : await state.push.findByEndpoint(former);
  if (known !== null && known.userId !== change.viewer.id) return refusePush(404, GONE);
  // Removed first, so that there is room for the new one.
  if (known !== null) await state.push.unsubscribe(change.viewer.id, known.id);
  return await subscribeBrowser(workspace, change);
}

/** Removes one of the viewer's browsers, which gets no more messages. */
export async function removeBrowser(
  { state }: Workspace,
  { viewer, form }: { viewer: User; form: FormData },
): Promise<PushResult> {
  const isRemoved = await state.push.unsubscribe(viewer.id, Number(form.get("browser")));
  return isRemoved ? { ok: true, done: "Nothing more comes in that browser." } : refusePush(404, GONE);
}

/** Sends a test message to one of the viewer's browsers at once, and returns the answer of its push service. */
export async function testBrowser(
  { state, notifications }: Workspace,
  { viewer, form, now }: { viewer: User; form: FormData; now: number },
): Promise<PushResult> {
  const subscription = await state.push.getSubscription(Number(form.get("browser")));
  if (subscription === null || subscription.userId !== viewer.id) return refusePush(404, GONE);
  const baseUrl = await notifications.findBaseUrl();
  const notice = {
    title: "Test: this is how Culprit tells you",
    body: "You sent it by hand, from Settings.",
    url: baseUrl && `${baseUrl}/settings`,
  };
  const { isGone, ...result } = await notifications.sendPush(subscription, notice, notifications.createKey());
  const { id, browser } = subscription;
  if (isGone) {
    await state.push.unsubscribe(viewer.id, id);
    return { ok: true, isBad: true, done: `${browser} does not take messages any more, and was removed.` };
  }
  const answer = result.ok ? result.answer : result.reason;
  await state.push.noteResult(id, { at: now, isOk: result.ok, answer });
  return result.ok
    ? { ok: true, done: `Test sent to ${browser}. Its push service answered: ${answer}` }
    : { ok: true, isBad: true, done: `The test did not reach ${browser}: ${answer}` };
}

const GONE = "You have no such browser any more.";

function parse(text: string): unknown {
  if (text.length > MAX_FORM_LENGTH) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
