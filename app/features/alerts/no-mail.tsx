import { Notice } from "../../ui/notice.tsx";

/** Said where rules are listed and made, while this server cannot send mail. */
export function NoMail() {
  return (
    <Notice tone="warning" title="Mail is not set up: people hear nothing, channels do.">
      <p>
        Set <code>SMTP_URL</code> (like <code>smtp://user:password@mail.example.com:587</code>) and{" "}
        <code>MAIL_FROM</code> (like <code>errors@example.com</code>), and start the server again.
      </p>
    </Notice>
  );
}
