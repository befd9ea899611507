import { compileGlob } from "./glob.ts";

/** Addresses of files of browser extensions, in every engine. Safari hides the actual addresses. */
const EXTENSION_FILE =
  /^(?:chrome|moz|safari|safari-web|ms-browser|edge|opera|webkit)-?extension:\/\/|^webkit-masked-url:\/\/|\/Extensions\/[^/]*\.safariextension\//i;

/** Texts of errors that only extensions, and what browsers put into pages, throw. */
const EXTENSION_TEXTS = [
  "*extension context invalidated*",
  "*could not establish connection. receiving end does not exist*",
  "*the message port closed before a response was received*",
  "*cannot access contents of the page. extension manifest*",
  "*_autofillcallbackhandler*",
  "*__gcrweb*",
  "*__firefox__*",
  "*instantsearchsdkjsbridge*",
  "*zalojsv2*",
  "*conduitpage*",
  "*cannot redefine property: ethereum*",
  "*cannot set property ethereum of*",
  "*cannot assign to read only property 'ethereum'*",
  "*window.ethereum.selectedaddress*",
  "*tronlink*",
  "*a listener indicated an asynchronous response by returning true, but the message channel closed*",
].map(compileGlob);

export function isExtensionFile(path: string): boolean {
  return EXTENSION_FILE.test(path);
}

export function isExtensionText(text: string): boolean {
  return EXTENSION_TEXTS.some((matches) => matches(text));
}

/**
 * Programs that read pages by themselves: search engines, previews of links, archives, checks of addresses. Most call themselves bot,
 * crawler or spider; the others are named.
 */
const CRAWLER =
  /bot(?:[/\s;,)_-]|$)|bots(?:[/\s;,)]|$)|crawl|spider|slurp|mediapartners-google|google-(?:inspectiontool|read-aloud|extended)|googleother|apis-google|adsbot|feedfetcher|bingpreview|yandex(?:images|video|media|metrika|direct)|facebookexternalhit|meta-externalagent|facebot|whatsapp\/|embedly|quora link preview|pinterest\/0|vkshare|skypeuripreview|ia_archiver|archive\.org|wayback|lighthouse|pagespeed|gtmetrix|pingdom|uptimerobot|statuscake|site24x7|ahrefs|semrush|dataprovider|screaming frog|bytespider|petalbot/i;
/** Phones of a maker whose name ends in *bot*. */
const PHONE = /cubot/i;

export function isCrawler(userAgent: string): boolean {
  const text = userAgent.slice(0, 500);
  return CRAWLER.test(PHONE.test(text) ? text.replace(/cubot/gi, "") : text);
}

/** Whether a host is local. The host has no port and no brackets. */
export function isLocalHost(host: string): boolean {
  const plain = host.toLowerCase();
  return (
    plain === "localhost" ||
    plain.endsWith(".localhost") ||
    plain === "::1" ||
    plain === "0.0.0.0" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(plain)
  );
}
