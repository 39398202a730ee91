/** Keeps what is known of addresses that are everybody's across restarts, and reports them in the log and to Prometheus. */
import type { Logger } from 'pino';
import type { TextCache } from '../model/text-cache.ts';
import { createSharedAddresses, type SharedAddresses } from './shared-addresses.ts';

export interface KeptSharedAddresses extends Pick<SharedAddresses, 'note' | 'list' | 'removeAccount'> {
  /** Reads what the last run, or another node, knew. */
  start(): Promise<void>;
  close(): void;
}

export interface KeptSharedAddressesOptions {
  readonly texts: TextCache;
  readonly metrics: { sharedAddresses(kind: string, keys: number): void };
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const NAME = 'shared-addresses';
const SAVE_MS = 60_000;
const KEEP_MS = 7 * 86_400_000;
const LINES = {
  everybody:
    'nearly all signups of this key or hook have one IP, that of a server or proxy. Its bursts do not count; see docs/troubleshooting.md#one-ip-for-everybody',
  doubtful:
    'nearly all signups of this key or hook have one IP: an attack, or a proxy that hides the visitors. Its bursts count; see docs/troubleshooting.md#one-ip-for-everybody',
};

export function keepSharedAddresses({
  texts,
  metrics,
  log,
  clock,
}: KeptSharedAddressesOptions): KeptSharedAddresses {
  let isReady = false;
  const addresses = createSharedAddresses({
    onChange({ keyId, account }, kind) {
      const about = { key: keyId, account };
      if (kind === null) log.info(about, 'the signups of this key or hook have IPs of their own again');
      else log.warn(about, LINES[kind]);
      if (isReady) count();
    },
  });
  let saving: NodeJS.Timeout | undefined;

  function count(): void {
    const kinds = addresses.list(clock()).map(({ kind }) => kind);
    for (const kind of ['everybody', 'doubtful'] as const)
      metrics.sharedAddresses(kind, kinds.filter((other) => other === kind).length);
  }

  function save(): void {
    count();
    const text = addresses.save();
    if (text !== undefined) texts.set(NAME, text, clock() + KEEP_MS);
  }

  return {
    ...addresses,
    async start() {
      const stored = await texts.get(NAME);
      if (stored !== undefined && stored.expiresAt > clock()) addresses.load(stored.text);
      isReady = true;
      count();
      saving = setInterval(save, SAVE_MS).unref();
    },
    close() {
      clearInterval(saving);
      if (isReady) save();
    },
  };
}
