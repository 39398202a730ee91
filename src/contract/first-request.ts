/** The request that the first start, the dashboard and the README show: its answer has a reason on each side, and data about a public IP. */

export const FIRST_REQUEST = { email: 'someone@mailinator.com', ip: '5.9.0.1' } as const;

/** IPs of the examples in the documents: a signup with one is somebody who tries the service. The first belongs to a provider of servers, the second to nobody. */
const EXAMPLE_IPS: readonly string[] = [FIRST_REQUEST.ip, '203.0.113.7'];

export function isExampleIp(ip: string | null): boolean {
  return ip !== null && EXAMPLE_IPS.includes(ip);
}
