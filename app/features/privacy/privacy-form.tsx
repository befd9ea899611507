import { Form, useNavigation } from "react-router";
import type { PrivacyChoices } from "../../domain/privacy/privacy-settings.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeLinesField } from "../../ui/code-lines-field.tsx";
import { CheckboxField } from "../../ui/field.tsx";
import { toFieldOf } from "../../ui/intent-form.tsx";
import { Notice } from "../../ui/notice.tsx";

/** The settings for what is masked. `shown`: the stored settings, or refused ones, to correct them. */
export function PrivacyForm({
  shown,
  error,
}: {
  shown: PrivacyChoices;
  error: { field: string; message: string } | null;
}) {
  const field = toFieldOf(error);
  const pending = useNavigation().formData?.get("intent");
  const isOpen = !shown.masksData || !shown.usesBuiltInRules;
  return (
    <Panel
      title="What is masked"
      description="The value is replaced by [Filtered], or as a rule says, before anything is stored."
    >
      {isOpen && (
        <div className="pb-4">
          <Notice
            tone="warning"
            title={shown.masksData ? "The built-in rules are off" : "Nothing is masked in this project"}
          >
            Passwords, tokens and card numbers that arrive now are stored as they were sent, and everybody who sees the
            project can read them.
          </Notice>
        </div>
      )}
      <Form method="post" className="grid max-w-form gap-4">
        <CheckboxField
          label="Mask data"
          hint="Off: neither the built-in rules nor your sensitive keys are used. Addresses have their own switch."
          name="masksData"
          defaultChecked={shown.masksData}
        />
        <CheckboxField
          label="Use the built-in rules"
          hint="Keys like password, token and api_key, and card numbers, private keys and tokens inside of text."
          name="usesBuiltInRules"
          defaultChecked={shown.usesBuiltInRules}
        />
        <CheckboxField
          label="Do not store addresses"
          hint="The IP address of the sender, of the user, and under keys like REMOTE_ADDR, X-Forwarded-For and client.address, also of spans and logs. Addresses inside of messages stay. Users who have nothing but an address are not counted."
          name="dropsAddresses"
          defaultChecked={shown.dropsAddresses}
        />
        <CodeLinesField
          label="Sensitive keys"
          hint="One name a line. iban masks the values of iban, customerIban and IBAN-code, in objects, headers, cookies and texts like iban=DE02."
          {...field("sensitiveKeys", shown.sensitiveKeys.join("\n"))}
          rows={4}
          placeholder="iban"
        />
        <CodeLinesField
          label="Safe keys"
          hint="One name a line, the whole key. Texts and numbers under it stay as they were sent. In an object under it, each key is judged by itself."
          {...field("safeKeys", shown.safeKeys.join("\n"))}
          rows={4}
          placeholder="session_kind"
        />
        <CodeLinesField
          label="Rules for places"
          hint="One a line: how, what, from, and where. They are explained below."
          {...field("rules", shown.rules)}
          rows={6}
          wrap="off"
          className="[&_.field-error]:whitespace-pre-line"
          placeholder={
            "mask email from $user.email\nremove anything from **.password\nreplace /ORD-\\d+/ with [order] from $string"
          }
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" name="intent" value="save" variant="primary" isPending={pending === "save"}>
            Save
          </Button>
          <Button type="submit" name="intent" value="test" isPending={pending === "test"}>
            Test on stored events
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
