/** Decides which of the addresses that a request came through may say who it came from, and how. */

/** `false`: nobody's word counts; `true`: anybody's; a number of hops, counted from us; or addresses and ranges. */
export type TrustedProxies = boolean | string | number;

/** Whether an address is believed; `hop` 0 is who is connected to us. */
export type TrustHop = (address: string, hop: number) => boolean;

/** As Fastify takes it. Of a number, Fastify would believe nobody: it does not count hops. */
export function createTrust(trusted: TrustedProxies): boolean | string | TrustHop {
  return typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted;
}
