/** Names everything kept of an account. All of it carries the account's hash tag, so that a cluster keeps it together. */
import type { VelocityEvent } from '../../model/velocity-event.ts';

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

/** 96 bits: an account never has two domains or networks with one name. */
const NAME_CHARACTERS = 16;

/**
 * Who looks into the server sees no domain and no IP, only keyed hashes, different ones for each account.
 * @param fingerprint keyed with the secret that all nodes share; mailboxes and addresses are hashed with it already
 */
export function createKeys(prefix: string, fingerprint: (text: string) => string): Keys {
  return {
    bucket(name) {
      const account = accountOf(name);
      return `${prefix}{${account}}r${name.slice(account.length)}`;
    },
    of(account) {
      const base = `${prefix}{${account}}`;
      const nameOf = (text: string) => fingerprint(`${account} ${text}`).slice(0, NAME_CHARACTERS);
      // In capitals: a release that kept domains and IPs in clear used small letters. What it left expires by itself,
      // and each account is rebuilt under the new names.
      return {
        state: `${base}S`,
        blocks: `${base}O`,
        lock: `${base}L`,
        credits: (month) => `${base}c:${month}`,
        network: (network) => `${base}N:${nameOf(network)}`,
        domain: (domain) => `${base}D:${nameOf(domain)}`,
        mailbox: (mailbox) => `${base}M:${mailbox}`,
      };
    },
  };
}

/** The account that a bucket belongs to. */
export function accountOf(bucket: string): string {
  const end = bucket.indexOf(':');
  return end < 0 ? bucket : bucket.slice(0, end);
}

/** Which of its mailbox's addresses an attempt comes with; nearly always there is but one. */
export function whoOf({ address, mailbox }: Pick<VelocityEvent, 'address' | 'mailbox'>): string {
  return address === mailbox ? '' : address;
}
