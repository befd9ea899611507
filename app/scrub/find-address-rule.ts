import { toKeyWords } from "../domain/privacy/key-words.ts";
import type { KeyRule } from "./find-key-rule.ts";

const ADDRESS: KeyRule = { rule: "@ip", covers: "all" };

/** Headers of proxies, variables of servers, and attributes of OpenTelemetry and of SDKs, without the prefixes below. */
const NAMES = new Set(
  (
    "ip ip_address ip_addr client_ip client_address client_addr user_ip user_ip_address client_ip_address remote_addr remote_address " +
    "remote_ip remote_host source_ip source_address real_ip x_real_ip x_client_ip x_forwarded_for x_original_forwarded_for forwarded forwarded_for " +
    "x_forwarded x_cluster_client_ip cf_connecting_ip cf_connecting_ipv6 cf_pseudo_ipv4 true_client_ip fastly_client_ip fly_client_ip " +
    "x_appengine_user_ip x_azure_clientip x_azure_socketip x_envoy_external_address x_remote_ip x_remote_addr net_peer_ip net_sock_peer_addr " +
    "network_peer_address http_client_ip user_client_ip sender_address sender_ip"
  )
    .split(" ")
    .map((name) => name.replaceAll("_", "")),
);

const PREFIX = /^_(?:(?:http_)?request_(?:header|env|http_header)_|(?:http|redirect|env)_)/;

/** The rule if the values under this key are addresses of people, in any spelling of the key. Null: they are not. */
export function findAddressRule(key: string): KeyRule | null {
  const words = toKeyWords(key.length > 100 ? key.slice(-100) : key);
  const isAddress = NAMES.has(words.replaceAll("_", "")) || NAMES.has(words.replace(PREFIX, "").replaceAll("_", ""));
  return isAddress ? ADDRESS : null;
}
