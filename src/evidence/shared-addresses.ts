/** Notices keys and hooks whose signups all come from one address: that of a proxy or of the application's own server, not of visitors. */
import type { IpEvidence } from '../model/evidence.ts';
import type { SharedAddress } from '../model/shared-address.ts';

export interface KeyedSignup {
  /** Id of the key or hook. */
  readonly keyId: string;
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The IP or its /64. */
  readonly network: string;
  readonly mailbox: string;
}

/** Kind of owner: a server or proxy, a visitor, or one that may be either. */
export type AddressOwner = 'server' | 'visitor' | 'unknown';

export interface SharedAddresses {
  /** Counts a signup. Returns whether its address is everybody's. */
  note(signup: KeyedSignup, owner: AddressOwner): boolean;
  /** @param now milliseconds since the epoch */
  list(now: number): readonly SharedAddress[];
  /** State that a restart must know, as text. `undefined` if nothing changed since the last call. */
  save(): string | undefined;
  /** Reads what `save` wrote; ignores a text in another form. */
  load(text: string): void;
  removeAccount(account: string): void;
}

export interface SharedAddressesOptions {
  /** Called when an address begins to dominate a key, and when that ends (`null`) or its kind changes. */
  readonly onChange: (
    key: Pick<SharedAddress, 'keyId' | 'account'>,
    kind: SharedAddress['kind'] | null,
  ) => void;
}

const HOUR_MS = 3_600_000;
const MIN_MAILBOXES = 20;
const MIN_SHARE = 0.8;
/** The share of an address on a key that had others: no ordinary signup comes beside it. */
const MIN_DOUBTFUL_SHARE = 0.95;
/** Max. mailboxes of the last hour that are compared. */
const MAX_RECENT = 40;
/** A key with so many addresses among its newest signups, of which none has more than half, has visitors of its own. */
const DIVERSE_ADDRESSES = 4;
/** Time for which that is remembered since another address than the present one came. */
const DIVERSE_MS = 7 * 24 * HOUR_MS;
/** Hours with signups from this address alone, after which it is everybody's whatever came before and whosever it is. */
const SOLE_HOURS = 24;
const SOLE_HOURS_OF_SERVER = 6;
/** Signups that end it if most of them have other addresses. */
const ENDING_LAST = 10;
const MIN_LAST = 3;
const MAX_LAST = 20;
const SILENCE_MS = 24 * HOUR_MS;
const MAX_KEYS = 1_024;

interface KeyState {
  readonly account: string;
  /** Distinct mailboxes of the last hour, oldest first. */
  readonly recent: Map<string, { readonly network: string; readonly at: number }>;
  /** Number of these from each network. */
  readonly counts: Map<string, number>;
  /** Hashes of the networks of the newest signups, oldest first. */
  readonly last: number[];
  /** Time when the key last had visitors with addresses of their own, milliseconds since the epoch. */
  diverseAt: number;
  /** The network that came last, and in how many hours since another one came. */
  sole: { hash: number; hours: number; hour: number };
  lastAt: number;
  shared: { readonly hash: number; readonly since: number; kind: SharedAddress['kind'] } | null;
}

/**
 * Owner of an address, as far as it is known: visitors have addresses of access networks, and so has a farm, which must not pass for
 * the proxy of a new key. An anonymizer is nobody's own server. `unknown`: addresses without an AS, such as those for documentation.
 */
export function ownerOf({
  asn,
  datacenter,
  sharedPlace,
  tor,
  vpn,
  proxy,
}: Pick<IpEvidence, 'asn' | 'datacenter' | 'sharedPlace' | 'tor' | 'vpn' | 'proxy'>): AddressOwner {
  if (tor || vpn || proxy) return 'visitor';
  if (datacenter || sharedPlace === 'egress' || sharedPlace === 'proxy') return 'server';
  return asn === 0 ? 'unknown' : 'visitor';
}

/** Keeps some kilobytes for each of the keys that were used last. */
export function createSharedAddresses({ onChange }: SharedAddressesOptions): SharedAddresses {
  const keys = new Map<string, KeyState>();
  let isChanged = false;

  function stateOf({ keyId, account }: KeyedSignup): KeyState {
    const known = keys.get(keyId);
    if (known !== undefined && keys.size < MAX_KEYS) return known;
    // The one used longest ago is the first.
    if (known !== undefined) keys.delete(keyId);
    else if (keys.size >= MAX_KEYS) keys.delete(keys.keys().next().value as string);
    const state = known ?? newState(account);
    keys.set(keyId, state);
    return state;
  }

  function change(keyId: string, state: KeyState, shared: KeyState['shared']): void {
    const before = state.shared?.kind ?? null;
    state.shared = shared;
    isChanged = true;
    if (before !== (shared?.kind ?? null)) onChange({ keyId, account: state.account }, shared?.kind ?? null);
  }

  return {
    note(signup, owner) {
      const { keyId, network, at } = signup;
      const state = stateOf(signup);
      const hash = hashOf(network);
      countRecent(state, signup);
      remember(state, hash, at);
      isChanged = true;
      if (state.shared !== null && isOver(state, at)) change(keyId, state, null);
      state.lastAt = at;
      const { shared } = state;
      if (shared?.kind !== 'everybody') {
        const kind = judge(state, network, { at, isServer: owner !== 'visitor' });
        if (kind !== null && kind !== shared?.kind) change(keyId, state, { hash, since: at, kind });
      }
      const isKnown = state.shared?.kind === 'everybody' && state.shared.hash === hash;
      return isKnown || (owner === 'server' && isFirst(state, network, at));
    },
    list(now) {
      const found: SharedAddress[] = [];
      for (const [keyId, state] of keys) {
        if (state.shared !== null && now - state.lastAt > SILENCE_MS) change(keyId, state, null);
        if (state.shared === null) continue;
        const { since, kind } = state.shared;
        found.push({ keyId, account: state.account, since, kind });
      }
      return found;
    },
    save() {
      if (!isChanged) return undefined;
      isChanged = false;
      return JSON.stringify([...keys].map(([keyId, state]) => toSaved(keyId, state)));
    },
    load(text) {
      for (const [keyId, state] of readSaved(text)) {
        keys.set(keyId, state);
        if (state.shared !== null) onChange({ keyId, account: state.account }, state.shared.kind);
      }
    },
    removeAccount(account) {
      for (const [keyId, state] of keys) if (state.account === account) keys.delete(keyId);
      isChanged = true;
    },
  };
}

function newState(account: string): KeyState {
  const maps = { recent: new Map(), counts: new Map() };
  return {
    account,
    ...maps,
    last: [],
    diverseAt: 0,
    lastAt: 0,
    shared: null,
    sole: { hash: -1, hours: 0, hour: 0 },
  };
}

/** A mailbox counts once, with its newest address. */
function countRecent(state: KeyState, { mailbox, network, at }: KeyedSignup): void {
  const { recent, counts } = state;
  forget(state, mailbox);
  recent.set(mailbox, { network, at });
  counts.set(network, (counts.get(network) ?? 0) + 1);
  for (const [oldest, seen] of recent) {
    if (recent.size <= MAX_RECENT && at - seen.at < HOUR_MS) break;
    forget(state, oldest);
  }
}

function forget({ recent, counts }: KeyState, mailbox: string): void {
  const seen = recent.get(mailbox);
  if (seen === undefined) return;
  recent.delete(mailbox);
  const left = (counts.get(seen.network) as number) - 1;
  if (left === 0) counts.delete(seen.network);
  else counts.set(seen.network, left);
}

function remember(state: KeyState, hash: number, at: number): void {
  const { last, sole } = state;
  last.push(hash);
  if (last.length > MAX_LAST) last.shift();
  const hour = Math.floor(at / HOUR_MS);
  const isOther = hash !== sole.hash;
  if (isOther) state.sole = { hash, hours: 0, hour };
  else if (hour > sole.hour) {
    sole.hours += 1;
    sole.hour = hour;
  }
  if (isOther && (at - state.diverseAt < DIVERSE_MS || isDiverse(last))) state.diverseAt = at;
}

function isDiverse(last: readonly number[]): boolean {
  const counts = new Map<number, number>();
  for (const hash of last) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts.size >= DIVERSE_ADDRESSES && Math.max(...counts.values()) <= last.length / 2;
}

/** Whether other addresses come again, or nothing came for long. */
function isOver({ shared, last, lastAt }: KeyState, at: number): boolean {
  if (lastAt > 0 && at - lastAt > SILENCE_MS) return true;
  const newest = last.slice(-ENDING_LAST);
  const own = newest.filter((hash) => hash === shared?.hash).length;
  return newest.length >= MIN_LAST && own < newest.length / 2;
}

function shareOf({ recent, counts }: KeyState, network: string): number {
  return (counts.get(network) ?? 0) / recent.size;
}

/**
 * Whether an address leads on a key without visitors of their own. For one of a server that is enough before it is noticed: to be at
 * a hosting provider is an accusation, with which the first twenty people would be blocked for their burst.
 */
function isFirst(state: KeyState, network: string, at: number): boolean {
  return at - state.diverseAt > DIVERSE_MS && shareOf(state, network) >= MIN_SHARE;
}

function judge(
  state: KeyState,
  network: string,
  { at, isServer }: { readonly at: number; readonly isServer: boolean },
): SharedAddress['kind'] | null {
  const { recent, diverseAt, sole } = state;
  const share = shareOf(state, network);
  if (recent.size < MIN_MAILBOXES || share < MIN_SHARE) return null;
  if (sole.hours >= (isServer ? SOLE_HOURS_OF_SERVER : SOLE_HOURS)) return 'everybody';
  if (at - diverseAt > DIVERSE_MS) return isServer ? 'everybody' : 'doubtful';
  return share < MIN_DOUBTFUL_SHARE ? null : 'doubtful';
}

/** 16 bits (FNV-1a, folded): enough to tell addresses of a key apart, too little to tell which address it was. */
function hashOf(network: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < network.length; at += 1) hash = Math.imul(hash ^ network.charCodeAt(at), 0x01000193);
  return (hash >>> 16) ^ (hash & 0xffff);
}

type Saved = readonly [
  keyId: string,
  account: string,
  last: readonly number[],
  sole: readonly [hash: number, hours: number, hour: number],
  times: readonly [diverseAt: number, lastAt: number],
  shared: readonly [hash: number, since: number, kind: string] | null,
];

function toSaved(keyId: string, { account, last, sole, diverseAt, lastAt, shared }: KeyState): Saved {
  const stored = shared === null ? null : ([shared.hash, shared.since, shared.kind] as const);
  return [keyId, account, last, [sole.hash, sole.hours, sole.hour], [diverseAt, lastAt], stored];
}

function readSaved(text: string): [string, KeyState][] {
  try {
    return (JSON.parse(text) as Saved[]).map(
      ([keyId, account, last, [hash, hours, hour], [diverseAt, lastAt], stored]) => {
        const state = {
          ...newState(account),
          last: [...last],
          sole: { hash, hours, hour },
          diverseAt,
          lastAt,
        };
        if (stored === null) return [keyId, state];
        const kind = stored[2] === 'everybody' ? 'everybody' : 'doubtful';
        return [keyId, { ...state, shared: { hash: stored[0], since: stored[1], kind } }];
      },
    );
  } catch {
    return [];
  }
}
