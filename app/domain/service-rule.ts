/** Sends the data of one OpenTelemetry service to another project than that of its key. */
export interface ServiceRule {
  /** A `service.name`, or the beginning of one with a `*` behind it. */
  service: string;
  projectId: number;
}

export const MAX_SERVICE_RULES = 100;
/** Characters of a service's name in a rule. */
export const MAX_SERVICE_CHARS = 200;

/** The first rule that fits; undefined: the service stays with the project whose key it has. */
export function findServiceRule<Rule extends Pick<ServiceRule, "service">>(
  rules: readonly Rule[],
  service: string,
): Rule | undefined {
  return rules.find((rule) =>
    rule.service.endsWith("*") ? service.startsWith(rule.service.slice(0, -1)) : service === rule.service,
  );
}
