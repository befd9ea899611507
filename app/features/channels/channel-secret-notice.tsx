import { SecretNotice } from "../../ui/secret-notice.tsx";

/** Shows the signing secret of a channel, once. */
export function ChannelSecretNotice({ message, secret }: { message: string; secret: string }) {
  return (
    <SecretNotice
      title={`${message} Copy the secret now: it is not shown again.`}
      label="Secret of the webhook"
      secret={secret}
    >
      <p className="text-muted text-xs">
        Messages are signed as Standard Webhooks describes, in the headers webhook-id, webhook-timestamp and
        webhook-signature. A message that is sent again has the same webhook-id.
      </p>
    </SecretNotice>
  );
}
