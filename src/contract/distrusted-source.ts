/** A source that gives wrong answers about well-known names, as people and probes see it. */
export interface DistrustedSource {
  /** `dns`, `rdap`, `abuseipdb` or `dnsbl:<zone>`. */
  readonly source: string;
  /** RFC 3339. */
  readonly since: string;
  /** The wrong answers, and the effect on signups. */
  readonly message: string;
  /** Advice to an operator. */
  readonly resolution: string;
}
