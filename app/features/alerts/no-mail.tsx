import { Notice } from "../../ui/notice.tsx";
import { useSendsNothing } from "../frame/use-sends-nothing.ts";

/** A note where rules are listed and made, while this server cannot send mail. `title`: its title if mail is not set up. */
export function NoMail({ title = "Mail is not set up: people hear nothing, channels do." }: { title?: string }) {
  const sendsNothing = useSendsNothing();
  return sendsNothing ? (
    <Notice
      tone="warning"
      title="Mail is off, and channels hear nothing: this server was started with SEND_NOTHING=1."
    />
  ) : (
    <Notice tone="warning" title={title}>
      <p>
        Set <code>SMTP_URL</code> (like <code>smtp://user:password@mail.example.com:587</code>) and{" "}
        <code>MAIL_FROM</code> (like <code>errors@example.com</code>), and start the server again.
      </p>
    </Notice>
  );
}
