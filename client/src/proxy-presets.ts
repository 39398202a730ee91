/** The header into which each well-known proxy writes the client's address, as its own documents say. */

/** Place that an address is read from: a header that the proxy overwrites, or `X-Forwarded-For` after so many trusted proxies. */
export type AddressSource =
  | {
      readonly header: string;
      /** The value ends with `:` and a port, also after an IPv6 address without brackets. */
      readonly hasPort?: boolean;
    }
  | { readonly hops: number };

/**
 * Each is believed only when named, because anybody who reaches the application without passing the proxy can send
 * the header. Let the application be reached through the proxy alone.
 */
export const PROXY_PRESETS = {
  /**
   * Header of Cloudflare. With "Pseudo IPv4: overwrite headers" it has a made-up address for IPv6, and `Cf-Connecting-IPv6` the real one.
   * https://developers.cloudflare.com/fundamentals/reference/http-headers/
   */
  cloudflare: { header: 'cf-connecting-ip' },
  /** https://vercel.com/docs/headers/request-headers */
  vercel: { header: 'x-vercel-forwarded-for' },
  /** https://fly.io/docs/networking/request-headers/ */
  fly: { header: 'fly-client-ip' },
  /**
   * It appends to `X-Forwarded-For`: the last entry is its own, in the mode `append`, the default.
   * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/x-forwarded-headers.html
   */
  'aws-alb': { hops: 1 },
  /**
   * Sent where an origin request policy includes it.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html
   */
  'aws-cloudfront': { header: 'cloudfront-viewer-address', hasPort: true },
  /**
   * Header of nginx with `proxy_set_header X-Real-IP $remote_addr;`, which replaces the client's own header.
   * https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_set_header
   */
  nginx: { header: 'x-real-ip' },
} as const satisfies Readonly<Record<string, AddressSource>>;

export type ProxyPreset = keyof typeof PROXY_PRESETS;
