/** Names everything kept of an account. All of it carries the account's hash tag, so that a cluster keeps it together. */
import type { Attempt } from '../counters.ts';

export interface Keys {
  bucket(name: string): string;
  of(account: string): AccountKeys;
}

export interface AccountKeys {
  readonly state: string;
  readonly blocks: string;
  readonly lock: string;
  credits(month: string): string;
  network(network: string): string;
  domain(domain: string): string;
  mailbox(mailbox: string): string;
}

export function createKeys(prefix: string): Keys {
  return {
    bucket(name) {
      const end = name.indexOf(':');
      return end < 0 ? `${prefix}{${name}}r` : `${prefix}{${name.slice(0, end)}}r${name.slice(end)}`;
    },
    of(account) {
      const base = `${prefix}{${account}}`;
      return {
        state: `${base}s`,
        blocks: `${base}o`,
        lock: `${base}l`,
        credits: (month) => `${base}c:${month}`,
        network: (network) => `${base}n:${network}`,
        domain: (domain) => `${base}d:${domain}`,
        mailbox: (mailbox) => `${base}m:${mailbox}`,
      };
    },
  };
}

/** Which of its mailbox's addresses an attempt comes with; nearly always there is but one. */
export function whoOf({ address, mailbox }: Pick<Attempt, 'address' | 'mailbox'>): string {
  return address === mailbox ? '' : address;
}
