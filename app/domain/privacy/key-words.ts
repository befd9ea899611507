/**
 * The words of a key, whatever its spelling, between underscores: `_customer_iban_` for `customerIban`, `CUSTOMER-IBAN` and
 * `customer.iban`. Letters of every script count. `_` has no words.
 */
export function toKeyWords(key: string): string {
  const words = key
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1_$2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.length === 0 ? "_" : `_${words.join("_")}_`;
}
