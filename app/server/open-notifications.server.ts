import { randomBytes } from "node:crypto";
import type { Engine } from "../access/engine.ts";
import type { Config } from "../config.server.ts";
import { ACT_LINK_MS, type ToActUrl } from "../domain/act-link.ts";
import { SECOND_MS } from "../domain/time.ts";
import { createDeliverJob } from "../jobs/deliver.ts";
import { createFollowUpJob } from "../jobs/follow-up.ts";
import { createNotifyJob, NOTIFICATIONS_READER } from "../jobs/notify.ts";
import type { Job } from "../jobs/runner.ts";
import type { Log } from "../log.server.ts";
import { signActLink } from "../notifications/act-link.server.ts";
import { createAfterAnswer } from "../notifications/create-after-answer.server.ts";
import { createSendMessage } from "../notifications/send-message.server.ts";
import { createSendMail, createSendNote } from "../notifications/send-note.server.ts";
import type { SendResult } from "../notifications/send-result.ts";
import { createSendPush } from "../notifications/web-push/send-push.server.ts";
import { makePushKeys } from "../notifications/web-push/vapid.server.ts";
import type { State } from "../stores/state/state.ts";
import type { Metrics } from "./metrics.server.ts";

/** The mail that a stranger asks for is made and sent within it, after the answer. */
const MAX_PAUSE_MS = SECOND_MS;
/** A stop has ten seconds in all. */
const FINISH_NOTES_MS = 2 * SECOND_MS;

/** The result of a test message on a server that sends nothing. */
const SENDS_NOTHING: SendResult = {
  ok: false,
  reason: "this server was started with SEND_NOTHING=1, and sends nothing",
  isPermanent: false,
  retryAfterMs: null,
};

/** Notifications: open them before the digest, so that the first new issue is announced. */
export async function openNotifications({
  config: { mail, allowsPrivate, sendsNothing },
  publicUrl,
  state,
  metrics,
  log,
  now,
}: {
  config: Config["notifications"];
  publicUrl: string | null;
  state: State;
  metrics: Metrics;
  log: Log;
  now: () => number;
}): Promise<{
  jobs: readonly Job[];
  notifications: Engine["notifications"];
  /** For a stopping server: sends requested mails that have not left yet. */
  finishNotes(): Promise<void>;
}> {
  await state.outbox.addReader(NOTIFICATIONS_READER);
  metrics.watch({
    queues: async () => ({ ...(await state.deliveries.countDeliveries()), ...(await state.outbox.countOutbox()) }),
  });
  const send = createSendMessage({ mail, allowsPrivate, now });
  const refuse = async () => ({ ...SENDS_NOTHING, isGone: false });
  const findBaseUrl = async () => publicUrl ?? (await state.people.getSignInOrigin());
  const getPushKeys = () => state.push.getKeys(makePushKeys);
  // They are made here because a settings page reads them, and could not make them on a full disk.
  await getPushKeys().catch((err: unknown) => log.warn({ err }, "the keys of web push could not be made yet"));
  const sendPush = createSendPush({
    getKeys: getPushKeys,
    // Some push services accept nothing from a sender without contact address.
    findSubject: async () => (mail === null ? await findBaseUrl() : `mailto:${toAddress(mail.from)}`),
    allowsPrivate,
    now,
  });
  const { afterAnswer, finish } = createAfterAnswer({ maxPauseMs: MAX_PAUSE_MS });
  const createKey = () => randomBytes(16).toString("hex");
  // Only if the operator has set the address: a link that acts without signing in must lead nowhere else.
  const openActLinks = async (): Promise<ToActUrl | null> => {
    if (publicUrl === null) return null;
    const key = await state.actLinks.getKey();
    return (link) => `${publicUrl}/act/${signActLink(key, { ...link, expiresAt: now() + ACT_LINK_MS })}`;
  };
  const sending = [
    createDeliverJob({
      state,
      send,
      sendMail: createSendMail(mail),
      sendPush,
      createKey,
      openActLinks,
      findBaseUrl,
      now,
      log,
      onSent: metrics.messageSent,
    }),
    createFollowUpJob({ state, follow: send.follow, findBaseUrl, openActLinks, now, log }),
  ];
  if (sendsNothing) log.warn("SEND_NOTHING is set: messages wait, mail is off, and no monitored address is asked");
  return {
    jobs: [createNotifyJob({ state, isMailSetUp: mail !== null, now, createKey }), ...(sendsNothing ? [] : sending)],
    notifications: {
      mailFrom: mail?.from ?? null,
      sendsNothing,
      allowsPrivate,
      send: sendsNothing ? refuse : send,
      sendNote: createSendNote({
        mail,
        createKey,
        onFailure: (failure) => log.warn(failure, "a mail about an account was not taken"),
      }),
      afterAnswer,
      sendPush: sendsNothing ? refuse : sendPush,
      getPushKey: async () => (await getPushKeys()).publicKey,
      findBaseUrl,
      createKey,
    },
    finishNotes: () => finish({ withinMs: FINISH_NOTES_MS }),
  };
}

/** `Culprit <errors@example.com>`, as it may be set, without the name. */
function toAddress(from: string): string {
  return /<([^>]+)>/.exec(from)?.[1] ?? from;
}
