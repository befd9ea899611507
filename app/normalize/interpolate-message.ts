import { isRecord } from "../domain/is-record.ts";
import { toJsonText } from "./json-text.ts";
import { toLenientString } from "./lenient-string.ts";
import { LIMITS } from "./trimming.ts";

/** `%s`, `%d`, `%.2f`, `%(name)s`, and `%%`; without the flag of a space, which prose has after a percent sign. */
const PERCENT = /%(?:\((\w{1,100})\))?[-+#0]{0,5}\d{0,4}(?:\.\d{1,4})?([sdiufFgGeExXoOcrajq%])/g;
/** `{}`, `{0}`, `{name}`, `{0:N2}`, `{name!r}`, `{@name}`. */
const BRACES = /\{[@$]?(\w{0,100})(?:![rsa])?(?:[,:][^{}]{0,32})?\}/g;

/**
 * A message as its logger would have printed it. Tokens without a parameter stay as they are; braces count only where no
 * percent token did, because no logger reads both.
 */
export function interpolateMessage(template: string, params: unknown): string {
  if (!Array.isArray(params) && !isRecord(params)) return template;
  if (template.length > LIMITS.message) return template;
  let next = 0;
  let isReplaced = false;
  // A short parameter list may be asked for thousands of times.
  let lengthLeft: number = LIMITS.message;
  const percent = template.replace(PERCENT, (token: string, name: string | undefined, conversion: string) => {
    if (conversion === "%") return token === "%%" ? "%" : token;
    const text = toParameterText(name === undefined ? takeNext() : getByName(name));
    if (text === null) return token;
    isReplaced = true;
    return text;
  });
  if (isReplaced) return percent;
  next = 0;
  return template.replace(BRACES, (token: string, name: string) => {
    const value = name === "" ? takeNext() : (getByName(name) ?? (/^\d+$/.test(name) ? undefined : takeNext()));
    return toParameterText(value) ?? token;
  });

  function toParameterText(value: unknown): string | null {
    if (value === undefined || lengthLeft <= 0) return null;
    const text = toLenientString(value) ?? toJsonText(value, LIMITS.otherText).text;
    lengthLeft -= text.length;
    return text;
  }

  /** Undefined, too, when the parameters have names. */
  function takeNext(): unknown {
    return Array.isArray(params) ? params[next++] : undefined;
  }

  function getByName(name: string): unknown {
    if (Array.isArray(params)) return /^\d{1,4}$/.test(name) ? params[Number(name)] : undefined;
    return isRecord(params) && Object.hasOwn(params, name) ? params[name] : undefined;
  }
}
