/** A source that is wrong about what everybody knows, as people and probes are told of it. */
export interface DistrustedSource {
  /** `dns`, `rdap`, `abuseipdb` or `dnsbl:<zone>`. */
  readonly source: string;
  /** RFC 3339. */
  readonly since: string;
  /** What it gets wrong, and what that means for signups. */
  readonly message: string;
  /** What an operator can do. */
  readonly resolution: string;
}
