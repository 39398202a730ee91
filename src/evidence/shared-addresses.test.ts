import { describe, expect, it } from 'vitest';
import { EMPTY_IP } from '../model/evidence.ts';
import { type AddressOwner, createSharedAddresses, ownerOf } from './shared-addresses.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 4, 10, 10);
const PROXY = '203.0.113.7';

function scene() {
  const changes: [string, string | null][] = [];
  const addresses = createSharedAddresses({ onChange: ({ keyId }, kind) => changes.push([keyId, kind]) });
  let at = START;
  let people = 0;
  /** Signups of new people, a second apart; returns what was said of the last one. */
  function sign(
    network: string,
    count = 1,
    { keyId = 'key', owner = 'server' as AddressOwner, mailbox = '' } = {},
  ): boolean {
    let isShared = false;
    for (let i = 0; i < count; i += 1) {
      at += 1_000;
      people += 1;
      const who = mailbox === '' ? `m${people}` : mailbox;
      isShared = addresses.note({ keyId, account: 'acc', at, network, mailbox: who }, owner);
    }
    return isShared;
  }
  const others = (count: number) => {
    for (let i = 0; i < count; i += 1) sign(`198.51.${people % 200}.${i % 250}`);
  };
  return {
    addresses,
    changes,
    sign,
    others,
    wait: (ms: number) => {
      at += ms;
    },
    kinds: () => addresses.list(at).map(({ kind }) => kind),
  };
}

describe('one address for everybody', () => {
  it('is noticed from twenty people on, once, and counts for nobody from the first, only for that address', () => {
    const { sign, changes, kinds } = scene();
    expect(sign(PROXY, 19)).toBe(true);
    expect(kinds()).toEqual([]);
    expect(sign(PROXY)).toBe(true);
    expect(sign(PROXY, 100)).toBe(true);
    expect(sign('198.51.100.9')).toBe(false);
    expect(changes).toEqual([['key', 'everybody']]);
  });

  it('is not one person who submits a form again and again', () => {
    const { sign, kinds } = scene();
    sign(PROXY, 100, { mailbox: 'one' });
    expect(kinds()).toEqual([]);
  });

  it('counts for nobody before it is noticed: a slow server-side product has no twenty people in an hour', () => {
    const { sign, wait, kinds } = scene();
    for (let i = 0; i < 50; i += 1) {
      expect(sign(PROXY)).toBe(true);
      wait(4 * MINUTE);
    }
    expect(kinds()).toEqual([]);
  });

  it('may have a few others beside it', () => {
    const { sign } = scene();
    for (let i = 0; i < 8; i += 1) {
      sign(PROXY, 5);
      sign(`198.51.100.${i}`);
    }
    expect(sign(PROXY)).toBe(true);
  });

  it('is not noticed where fewer than four in five share it', () => {
    const { sign, kinds } = scene();
    for (let i = 0; i < 30; i += 1) {
      if (i > 3) expect(sign(PROXY, 3)).toBe(false);
      else sign(PROXY, 3);
      sign(`198.51.100.${i}`);
    }
    expect(kinds()).toEqual([]);
  });

  it('is not noticed where twenty people take longer than an hour', () => {
    const { sign, wait, kinds } = scene();
    for (let i = 0; i < 50; i += 1) {
      sign(PROXY);
      wait(4 * MINUTE);
    }
    expect(kinds()).toEqual([]);
  });

  it('is counted for each key alone', () => {
    const { sign, changes } = scene();
    sign(PROXY, 19, { keyId: 'a' });
    sign(PROXY, 19, { keyId: 'b' });
    expect(changes).toEqual([]);
  });

  it('ends when people have addresses of their own again, and when nobody comes for a day', () => {
    const { sign, others, changes, kinds, wait } = scene();
    sign(PROXY, 30);
    others(10);
    expect(kinds()).toEqual([]);
    expect(changes).toEqual([
      ['key', 'everybody'],
      ['key', null],
    ]);
    const silent = scene();
    silent.sign(PROXY, 30);
    silent.wait(25 * HOUR);
    expect(silent.kinds()).toEqual([]);
    wait(0);
  });
});

describe('an address of an access network', () => {
  const ofVisitor = { owner: 'visitor' } as const;

  it('is doubtful on a new key, from twenty people on, so its bursts count', () => {
    const { sign, changes, kinds } = scene();
    expect(sign(PROXY, 19, ofVisitor)).toBe(false);
    expect(kinds()).toEqual([]);
    expect(sign(PROXY, 500, ofVisitor)).toBe(false);
    expect(kinds()).toEqual(['doubtful']);
    expect(changes).toEqual([['key', 'doubtful']]);
  });

  it('does not hide the address of a server beside it', () => {
    const { sign } = scene();
    sign('198.51.100.9', 30, ofVisitor);
    expect(sign(PROXY, 300)).toBe(true);
    expect(sign('198.51.100.9', 1, ofVisitor)).toBe(false);
  });

  it('does not become everybody beside a server that is', () => {
    const { sign } = scene();
    sign(PROXY, 30);
    expect(sign('198.51.100.9', 500, ofVisitor)).toBe(false);
  });

  it('is doubtful again after a silent day', () => {
    const { sign, wait, kinds } = scene();
    sign(PROXY, 30, ofVisitor);
    wait(25 * HOUR);
    expect(kinds()).toEqual([]);
    expect(sign(PROXY, 30, ofVisitor)).toBe(false);
    expect(kinds()).toEqual(['doubtful']);
  });
});

describe('an address of an unknown network', () => {
  it('counts until it is noticed, because nothing is said against it', () => {
    const { sign, kinds } = scene();
    expect(sign(PROXY, 19, { owner: 'unknown' })).toBe(false);
    expect(sign(PROXY, 1, { owner: 'unknown' })).toBe(true);
    expect(kinds()).toEqual(['everybody']);
  });
});

describe('the owner of an address', () => {
  const OF_ACCESS = { ...EMPTY_IP, asn: 3_320 };

  it.each([
    ['a hosting provider', 'server', { datacenter: true }],
    ['the egress of a platform', 'server', { sharedPlace: 'egress' }],
    ['a company’s proxy', 'server', { sharedPlace: 'proxy' }],
    ['no known network', 'unknown', { asn: 0 }],
    ['a hosting provider that is no known network', 'server', { asn: 0, datacenter: true }],
    ['an access network', 'visitor', {}],
    ['a mobile carrier', 'visitor', { sharedPlace: 'carrier' }],
    ['a relay', 'visitor', { sharedPlace: 'relay', relay: true }],
    ['a VPN at a hosting provider', 'visitor', { datacenter: true, vpn: true }],
    ['an open proxy at a hosting provider', 'visitor', { datacenter: true, proxy: true }],
    ['a Tor exit at a hosting provider', 'visitor', { datacenter: true, tor: true }],
  ] as const)('for %s: %s', (_, owner, facts) => {
    expect(ownerOf({ ...OF_ACCESS, ...facts })).toBe(owner);
  });
});

describe('an attacker', () => {
  it.each([4, 10, 100])('does not become everybody on a form where %i people came before', (count) => {
    const { sign, others, kinds } = scene();
    others(count);
    expect(sign(PROXY, 500)).toBe(false);
    expect(kinds()).toEqual(['doubtful']);
  });

  it('does not become everybody by coming early, or by filling the memory with other addresses', () => {
    const { sign, others, wait } = scene();
    others(20);
    sign(PROXY);
    wait(2 * 24 * HOUR);
    others(40);
    expect(sign(PROXY, 500)).toBe(false);
  });

  it('does not become everybody by coming again and again among others', () => {
    const { sign, others } = scene();
    for (let i = 0; i < 20; i += 1) {
      others(10);
      sign(PROXY);
    }
    expect(sign(PROXY, 500)).toBe(false);
  });

  it('does not become everybody in hours in which others come too', () => {
    const { sign, others, wait } = scene();
    others(10);
    for (let hour = 0; hour < 72; hour += 1) {
      expect(sign(PROXY, 60)).toBe(false);
      if (hour % 5 === 4) others(1);
      wait(HOUR);
    }
  });

  it('is told from a proxy by the time in which nobody else comes: a day for an access network, for a server on a key with others six hours', () => {
    const hoursUntil = (owner: AddressOwner, before: number) => {
      const { sign, others, wait } = scene();
      others(before);
      for (let hour = 0; hour < 40; hour += 1) {
        if (sign(PROXY, 30, { owner })) return hour;
        wait(HOUR);
      }
      return undefined;
    };
    expect(hoursUntil('server', 10)).toBe(6);
    expect(hoursUntil('visitor', 10)).toBe(24);
    expect(hoursUntil('server', 0)).toBe(0);
    expect(hoursUntil('visitor', 0)).toBe(24);
  });
});

describe('what is saved', () => {
  it('is known after a restart, without addresses', () => {
    const before = scene();
    before.sign(PROXY, 30);
    before.sign(PROXY, 30, { keyId: 'other' });
    const busy = scene();
    busy.others(20);
    const text = before.addresses.save() as string;
    expect(before.addresses.save()).toBeUndefined();
    expect(text).not.toContain(PROXY);
    const after = scene();
    after.addresses.load(text);
    expect(after.changes).toEqual([
      ['key', 'everybody'],
      ['other', 'everybody'],
    ]);
    expect(after.sign(PROXY)).toBe(true);
    const attacked = scene();
    attacked.addresses.load(busy.addresses.save() as string);
    expect(attacked.sign(PROXY, 100)).toBe(false);
  });

  it('is ignored in another form, and forgotten with its account', () => {
    const { addresses, sign, kinds } = scene();
    for (const text of ['', '{}', '[1]', 'null']) addresses.load(text);
    sign(PROXY, 30);
    addresses.removeAccount('acc');
    expect(kinds()).toEqual([]);
    expect(addresses.save()).toBe('[]');
  });

  it('stays small, however many keys there are', () => {
    const { addresses, sign, others } = scene();
    others(10);
    for (let i = 0; i < 3_000; i += 1) {
      sign(PROXY, 1, { keyId: `key${i}` });
      if (i % 500 === 0) others(1);
    }
    expect((JSON.parse(addresses.save() as string) as unknown[]).length).toBe(1_024);
    // The key that is used is not forgotten.
    expect(sign(PROXY, 50)).toBe(false);
  });
});
