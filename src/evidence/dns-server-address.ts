/** Decides which name server a setting such as `192.0.2.1:53` names. */
import { isIP } from 'node:net';

export interface ServerAddress {
  readonly address: string;
  readonly port: number;
  readonly family: 4 | 6;
}

const DNS_PORT = 53;
const BRACKETED = /^\[([^\]]+)\](?::(\d{1,5}))?$/;
const WITH_PORT = /^([^:]+):(\d{1,5})$/;

/** Reads `ip`, `ip:port`, `v6` or `[v6]:port`; `undefined` for anything else, names included. */
export function readServerAddress(text: string): ServerAddress | undefined {
  const match = BRACKETED.exec(text) ?? WITH_PORT.exec(text);
  const address = match?.[1] ?? text;
  const port = match?.[2] === undefined ? DNS_PORT : Number(match[2]);
  const family = isIP(address);
  if (family === 0 || port < 1 || port > 65_535) return undefined;
  if (text.startsWith('[') && family === 4) return undefined;
  return { address, port, family: family === 4 ? 4 : 6 };
}
