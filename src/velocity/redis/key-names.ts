/** Names all keys of an account. Each contains the account's hash tag, so that a cluster keeps them on one node. */
import { type VelocityEvent, voiceOf } from '../../model/velocity-event.ts';

export interface Keys {
  ofAccount(account: string): AccountKeys;
}

export interface AccountKeys {
  readonly state: string;
  readonly blocks: string;
  readonly lock: string;
  /** Beginning of all of them. */
  readonly all: string;
  /** Key of a bucket, by its name within the account. */
  window(bucket: string): string;
  network(network: string): string;
  /**
   * An event's network, as scripts get it: 0 without one, 1 where it is its own voice, or else the name of its voice,
   * which tells it from the account's other voices and networks.
   */
  voice(network: string | null): 0 | 1 | string;
  domain(domain: string): string;
  mailbox(mailbox: string): string;
}

/** 96 bits: two domains or networks of an account never share a key. */
const NAME_CHARACTERS = 16;
/** Characters of a voice's name that scripts compare: 72 bits. */
const VOICE_CHARACTERS = 12;

/**
 * The server never sees a domain or an IP, only keyed hashes, which differ between accounts.
 * @param fingerprint keyed with the secret that all nodes share; mailboxes and addresses are hashed with it already
 */
export function createKeys(prefix: string, fingerprint: (text: string) => string): Keys {
  return {
    ofAccount(account) {
      const base = `${prefix}{${account}}`;
      const nameOf = (text: string) => fingerprint(`${account} ${text}`).slice(0, NAME_CHARACTERS);
      return {
        all: base,
        state: `${base}S`,
        blocks: `${base}O`,
        lock: `${base}L`,
        window: (bucket) => `${base}W${bucket}`,
        network: (network) => `${base}N:${nameOf(network)}`,
        voice: (network) => {
          if (network === null) return 0;
          const voice = voiceOf(network);
          return voice === network ? 1 : nameOf(voice).slice(0, VOICE_CHARACTERS);
        },
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

/** Keys of the domain, the mailbox and, if there is one, the network. */
export function keysOfEvent(own: AccountKeys, { domain, mailbox, network }: VelocityEvent): string[] {
  const eventKeys = [own.domain(domain), own.mailbox(mailbox)];
  if (network !== null) eventKeys.push(own.network(network));
  return eventKeys;
}

/** Keys for a script that takes several attempts: always three, without a network the mailbox again. */
export function threeKeysOf(own: AccountKeys, event: VelocityEvent): [string, string, string] {
  const mailbox = own.mailbox(event.mailbox);
  return [own.domain(event.domain), mailbox, event.network === null ? mailbox : own.network(event.network)];
}

/** The address that the attempt uses for its mailbox; `''` if it is the mailbox itself, as nearly always. */
export function addressUnlessMailbox({
  addressHash,
  mailbox,
}: Pick<VelocityEvent, 'addressHash' | 'mailbox'>): string {
  return addressHash === mailbox ? '' : addressHash;
}
