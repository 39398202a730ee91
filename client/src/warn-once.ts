/** Says something about the set-up on the console, once in a process. */

/** Subject of a hint. */
export type HintKind = 'no_address' | 'no_ip' | 'proxy_address' | 'pseudo_ipv4';

const said = new Set<HintKind>();

export function warnOnce(kind: HintKind, text: string): void {
  if (said.has(kind)) return;
  said.add(kind);
  // biome-ignore lint/suspicious/noConsole: a hint for the engineer who sets this up, once
  console.warn(`gatehouse: ${text}`);
}
