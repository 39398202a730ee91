/** Defines the counts of an attempt's network, domain and mailbox within an hour and a day. */
import { expect, it } from 'vitest';
import { countsAlone, MAX_TRACED, type VelocityEvent } from '../model/velocity-event.ts';
import { countIn } from './count-in.suite.ts';
import type { Counters } from './counters.ts';
import { seen } from './counters-script.suite.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export function describeAttempts(current: () => Counters, signup: VelocityEvent): void {
  const count = async (change: Partial<VelocityEvent>) =>
    (await countIn(current(), { ...signup, ...change })).counts;

  it('includes the attempt itself', async () => {
    const firstCounts = {
      network1h: 1,
      network24h: 1,
      domain1h: 1,
      domain24h: 1,
      mailbox24h: 1,
      partial: false,
    };
    expect(await count({})).toEqual(firstCounts);
  });

  it.each([
    [HOUR_MS - 1, 2],
    [HOUR_MS, 1],
    [HOUR_MS + 1, 1],
  ])('after %i ms it counts %i attempts of the last hour', async (ms, expected) => {
    await count({});
    const later = await count({ at: signup.at + ms, addressHash: 'bob', mailbox: 'bob' });
    expect(later).toMatchObject({ network1h: expected, domain1h: expected, network24h: 2, domain24h: 2 });
  });

  it.each([
    [DAY_MS - 1, 2],
    [DAY_MS, 1],
    [DAY_MS + 1, 1],
  ])('after %i ms it counts %i attempts of the last day', async (ms, expected) => {
    await count({});
    const later = await count({ at: signup.at + ms, addressHash: 'a.da' });
    expect(later).toMatchObject({ network24h: expected, domain24h: expected, mailbox24h: expected });
  });

  it('counts no network for an attempt without a network', async () => {
    await count({ network: null });
    expect(await count({ network: null })).toMatchObject({ network1h: 0, network24h: 0, domain1h: 1 });
  });

  it('keeps accounts apart', async () => {
    await count({});
    expect(await count({ account: 'acc_b', addressHash: 'bob' })).toMatchObject({
      network24h: 1,
      domain24h: 1,
    });
  });

  it('keeps the counts of a quiet account while another account sends a flood of unique signups', async () => {
    const quiet = { account: 'acc_quiet', domain: 'quiet.example', network: '198.51.100.9' };
    for (let round = 0; round < 5; round += 1) {
      const flood = Array.from({ length: 100 }, (_, number) => {
        const own = `${round}-${number}`;
        return { network: own, domain: `${own}.example`, addressHash: own, mailbox: own };
      });
      await Promise.all(flood.map((change) => count({ ...change, at: signup.at + round })));
      const own = { addressHash: `quiet-${round}`, mailbox: 'quiet', at: signup.at + round };
      expect(await count({ ...quiet, ...own })).toEqual({
        network1h: round + 1,
        network24h: round + 1,
        domain1h: round + 1,
        domain24h: round + 1,
        mailbox24h: round + 1,
        partial: false,
      });
    }
  });

  it('gives each of many simultaneous attempts a different count', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => count({})));
    expect(new Set(all.map(({ network1h }) => network1h)).size).toBe(50);
  });
}

export function describeDistinctness(current: () => Counters, signup: VelocityEvent): void {
  const count = async (change: Partial<VelocityEvent>) =>
    (await countIn(current(), { ...signup, ...change })).counts;

  it('counts an address once, however often it comes', async () => {
    for (let at = signup.at; at < signup.at + 5; at += 1) await count({ at });
    const counts = await count({ at: signup.at + 5 });
    expect(counts).toMatchObject({ network1h: 6, domain1h: 1, domain24h: 1, mailbox24h: 1 });
  });

  it('counts an address until its last attempt is too old', async () => {
    await count({});
    await count({ at: signup.at + HOUR_MS - 1 });
    const bob = { addressHash: 'bob', mailbox: 'bob' };
    expect((await count({ ...bob, at: signup.at + HOUR_MS + 1 })).domain1h).toBe(2);
    expect((await count({ ...bob, at: signup.at + 2 * HOUR_MS - 1 })).domain1h).toBe(1);
  });

  it('counts the addresses of a mailbox across its domains', async () => {
    await count({ addressHash: 'a.da@gmail', domain: 'gmail.com' });
    const counts = await count({ addressHash: 'ada@googlemail', domain: 'googlemail.com' });
    expect(counts).toMatchObject({ domain24h: 1, mailbox24h: 2 });
  });

  it('counts a mailbox at least as high as under its hash from before a key rotation, for a day', async () => {
    for (const addressHash of ['a', 'b', 'c']) await count({ addressHash, mailbox: 'old' });
    const rotated = { addressHash: 'new a', mailbox: 'new', olderMailboxes: ['oldest', 'old'] };
    expect((await count({ ...rotated, at: signup.at + 1 })).mailbox24h).toBe(3);
    expect((await count({ ...rotated, olderMailboxes: [], at: signup.at + 2 })).mailbox24h).toBe(1);
    expect((await count({ ...rotated, account: 'acc_b', at: signup.at + 3 })).mailbox24h).toBe(1);
    for (const addressHash of ['new b', 'new c', 'new d'])
      await count({ ...rotated, addressHash, at: signup.at + 4 });
    expect((await count({ ...rotated, at: signup.at + 5 })).mailbox24h).toBe(4);
    expect((await count({ ...rotated, at: signup.at + DAY_MS })).mailbox24h).toBe(4);
    expect(
      (await count({ mailbox: 'other', olderMailboxes: ['old'], at: signup.at + DAY_MS })).mailbox24h,
    ).toBe(1);
  });
}

export function describeVoices(current: () => Counters, signup: VelocityEvent): void {
  const count = (change: Partial<VelocityEvent>) => countIn(current(), { ...signup, ...change });
  const person = (name: string) => ({ addressHash: name, mailbox: name });
  const voices = async (change: Partial<VelocityEvent>) => seen(await count(change));

  it('counts a person who tries again and again as one mailbox of the network', async () => {
    for (let at = 0; at < 30; at += 1) await count({ at: signup.at + at });
    expect(await voices({ at: signup.at + 30 })).toMatchObject({ networkMailboxes1h: { all: 1 } });
    expect(await voices({ ...person('bob'), at: signup.at + 31 })).toMatchObject({
      networkMailboxes1h: { all: 2 },
    });
  });

  it('counts many addresses from one network as one voice against their domain', async () => {
    for (let made = 0; made < 40; made += 1) await count(person(`made-up-${made}`));
    const office = { network: '198.51.100.4' };
    expect(await voices({ ...person('ada'), ...office })).toMatchObject({ domainVoices1h: { all: 2 } });
    expect(await voices({ ...person('bob'), ...office })).toMatchObject({ domainVoices1h: { all: 2 } });
    expect(await voices({ ...person('eve'), network: null })).toMatchObject({ domainVoices1h: { all: 3 } });
    expect(await voices({ addressHash: 'eve+1', mailbox: 'eve', network: null })).toMatchObject({
      domainVoices1h: { all: 3 },
    });
    expect(await voices({ ...person('jo'), network: null })).toMatchObject({ domainVoices1h: { all: 4 } });
  });

  it('counts the /64s of one IPv6 /48 as one voice against people elsewhere, and each of them against its own', async () => {
    const from = (site: number, subnet: number) => `2001:db8:${site}:${(16 + subnet).toString(16)}::/64`;
    for (let made = 0; made < 60; made += 1)
      await count({ ...person(`made-up-${made}`), network: from(1, made) });
    for (let tag = 0; tag < 9; tag += 1)
      await count({ addressHash: `ada+${tag}`, mailbox: 'ada', network: from(1, 100 + tag) });
    const home = { addressHash: 'ada', mailbox: 'ada', network: from(2, 1) };
    const counted = await count(home);
    expect(counted.counts).toMatchObject({ network1h: 1, domain1h: expect.any(Number), mailbox24h: 10 });
    expect(seen(counted)).toMatchObject({
      domainVoices1h: { all: 2 },
      mailboxVoices24h: { own: { all: 1 }, others: { all: 1 } },
    });
    // A farm answers for each of its own.
    expect(await voices({ ...home, addressHash: 'ada+here', network: from(2, 9) })).toMatchObject({
      domainVoices1h: { all: 3 },
      mailboxVoices24h: { own: { all: 2 }, others: { all: 1 } },
    });
    expect((await voices({ ...person('made-up-0'), network: from(1, 0) })).domainVoices1h.all).toBe(70);
  });

  it('lets a /48 keep its voice as long as one of its /64s has an attempt that counts', async () => {
    const from = (subnet: number) => `2001:db8:3:${subnet}::/64`;
    for (let made = 0; made < 7; made += 1)
      await count({ ...person(`p${made}`), network: `192.0.2.${made}` });
    const one = await count({ ...person('one'), network: from(1) });
    const two = await count({ ...person('two'), network: from(2) });
    const now = () => voices({ ...person('p0'), network: '192.0.2.0' });
    expect((await now()).domainVoices1h).toMatchObject({ all: 8, blocked: 0 });
    await one.markBlocked();
    expect((await now()).domainVoices1h).toMatchObject({ all: 8, blocked: 0 });
    await two.markBlocked();
    expect((await now()).domainVoices1h).toMatchObject({ all: 8, blocked: 1 });
    await one.undo();
    expect((await now()).domainVoices1h).toMatchObject({ all: 8, blocked: 1 });
    await two.undo();
    expect((await now()).domainVoices1h).toMatchObject({ all: 7, blocked: 0 });
  });

  it('knows of the people of a network how many have the domain and how many have names, each by the latest attempt', async () => {
    const at = (ms: number) => ({ at: signup.at + ms });
    const firm = { domain: 'colleagues.example', named: true };
    for (let made = 0; made < 4; made += 1) await count({ ...person(`p${made}`), ...firm, ...at(made) });
    await count({ ...person('r2d2'), domain: 'colleagues.example', ...at(4) });
    await count({ ...person('guest'), named: true, ...at(5) });
    const blocked = await count({ ...person('bot'), domain: 'colleagues.example', named: true, ...at(6) });
    const last = (ms: number) => voices({ ...person('p0'), ...firm, ...at(ms) });
    expect((await last(7)).networkMailboxes1h).toEqual({ all: 7, blocked: 0, ofDomain: 6, named: 6 });
    await blocked.markBlocked();
    expect((await last(8)).networkMailboxes1h).toEqual({ all: 7, blocked: 1, ofDomain: 5, named: 5 });
    const nameless = await count({ ...person('p1'), ...firm, named: false, ...at(9) });
    expect((await last(10)).networkMailboxes1h).toMatchObject({ ofDomain: 5, named: 4 });
    await nameless.undo();
    expect((await last(11)).networkMailboxes1h).toMatchObject({ ofDomain: 5, named: 5 });
    const guest = await voices({ ...person('guest'), named: true, ...at(12) });
    expect(guest.networkMailboxes1h).toEqual({ all: 7, blocked: 1, ofDomain: 1, named: 5 });
    expect((await last(HOUR_MS + 3)).networkMailboxes1h).toMatchObject({ ofDomain: 2, named: 2 });
  });

  it('knows how many voices of a domain have names, each by the latest attempt', async () => {
    const from = (made: number) => ({ ...person(`p${made}`), network: `192.0.2.${made}` });
    const at = (ms: number) => ({ at: signup.at + ms });
    for (let made = 0; made < 7; made += 1) await count({ ...from(made), named: made > 2, ...at(made) });
    const last = async (ms: number) => (await voices({ ...from(6), named: true, ...at(ms) })).domainVoices1h;
    expect(await last(7)).toMatchObject({ all: 7, blocked: 0, named: 4 });
    const again = await count({ ...from(0), named: true, ...at(8) });
    const nowhere = await count({ ...person('eve'), network: null, named: true, ...at(9) });
    expect(await last(10)).toMatchObject({ all: 8, blocked: 0, named: 6 });
    await again.markBlocked();
    expect(await last(11)).toMatchObject({ all: 8, blocked: 0, named: 5 });
    await nowhere.markBlocked();
    expect(await last(12)).toMatchObject({ all: 8, blocked: 1, named: 4 });
    await nowhere.undo();
    await again.undo();
    expect(await last(13)).toMatchObject({ all: 7, blocked: 0, named: 4 });
  });

  it('tells of a large crowd about which share has the domain and names, of a network and of a domain', async () => {
    const from = (made: number) => ({ ...person(`p${made}`), named: made % 4 !== 0, at: signup.at + made });
    for (let made = 0; made < 100; made += 1)
      await count({ ...from(made), domain: made % 10 === 0 ? 'guest.example' : signup.domain });
    const { networkMailboxes1h: people } = await voices(from(101));
    expect(people).toMatchObject({ all: 101, blocked: 0 });
    expect(people.ofDomain).toBeGreaterThan(80);
    expect(people.ofDomain).toBeLessThanOrEqual(101);
    expect(people.named).toBeGreaterThan(65);
    expect(people.named).toBeLessThan(85);
    for (let made = 0; made < 100; made += 1)
      await count({ ...from(200 + made), domain: 'large.example', network: `192.0.2.${made}` });
    const last = { ...from(301), domain: 'large.example', network: '192.0.2.102' };
    const { domainVoices1h: networks } = await voices(last);
    expect(networks).toMatchObject({ all: 101, blocked: 0 });
    expect(networks.named).toBeGreaterThan(65);
    expect(networks.named).toBeLessThan(85);
  });

  it('counts addresses of a mailbox from its own network one by one, and others by their networks', async () => {
    for (let tag = 0; tag < 9; tag += 1) await count({ addressHash: `ada+${tag}` });
    const home = { network: '198.51.100.4' };
    expect((await voices(home)).mailboxVoices24h).toMatchObject({ own: { all: 1 }, others: { all: 1 } });
    await count({ addressHash: 'ada+there', network: '192.0.2.1' });
    expect((await voices({ ...home, addressHash: 'ada+here' })).mailboxVoices24h).toMatchObject({
      own: { all: 2 },
      others: { all: 2 },
    });
    expect((await voices({ network: null })).mailboxVoices24h).toMatchObject({
      own: { all: 1 },
      others: { all: 3 },
    });
    expect((await voices({ ...home, at: signup.at + DAY_MS - 1 })).mailboxVoices24h.others.all).toBe(3);
  });

  it('forgets a voice when its last attempt is an hour old', async () => {
    for (let from = 0; from < 8; from += 1)
      await count({ ...person(`p${from}`), network: `192.0.2.${from % 4}`, at: signup.at + from });
    const later = (ms: number) =>
      voices({ ...person('late'), network: '192.0.2.9', at: signup.at + HOUR_MS + ms });
    expect((await later(-1)).domainVoices1h.all).toBe(5);
    for (let from = 0; from < 8; from += 1)
      await count({ ...person(`q${from}`), network: '192.0.2.1', at: signup.at + 2 * HOUR_MS });
    const last = await voices({ network: '192.0.2.1', at: signup.at + 2 * HOUR_MS });
    expect(last.domainVoices1h.all).toBe(1);
  });

  it('counts at least as many people as are behind the latest attempts of a long burst', async () => {
    for (let made = 0; made < 200; made += 1) await count(person(`p${made}`));
    const { networkMailboxes1h } = await voices(person('last'));
    expect(networkMailboxes1h.all).toBeGreaterThanOrEqual(MAX_TRACED);
    expect(networkMailboxes1h.all).toBeLessThanOrEqual(201);
  });

  it('tells voices apart all of whose attempts were blocked, within each window', async () => {
    const from = (network: string | null, name: string, ms: number) =>
      count({ network, ...person(name), at: signup.at + ms });
    for (let made = 0; made < 8; made += 1)
      await (await from(`192.0.2.${made}`, `p${made}`, 0)).markBlocked();
    await (await from(null, 'nowhere', 1)).markBlocked();
    const office = { network: '198.51.100.4' };
    const last = (ms: number) => voices({ ...office, ...person('ada'), at: signup.at + ms });
    expect((await last(2)).domainVoices1h).toMatchObject({ all: 10, blocked: 9 });
    const again = await from('192.0.2.0', 'p0', 2);
    expect((await last(3)).domainVoices1h).toMatchObject({ all: 10, blocked: 8 });
    await again.markBlocked();
    await again.markBlocked();
    expect((await last(3)).domainVoices1h).toMatchObject({ all: 10, blocked: 9 });
    await from('192.0.2.1', 'p1', 4);
    for (let made = 10; made < 16; made += 1) await from(`192.0.2.${made}`, `p${made}`, HOUR_MS - 1);
    await (await from('192.0.2.1', 'p1', HOUR_MS - 1)).markBlocked();
    expect((await last(HOUR_MS + 3)).domainVoices1h).toMatchObject({ all: 8, blocked: 0 });
    expect((await last(HOUR_MS + 4)).domainVoices1h).toMatchObject({ all: 8, blocked: 1 });
  });

  it('tells blocked people of a network and blocked addresses of a mailbox apart', async () => {
    for (let made = 0; made < 6; made += 1) await (await count({ addressHash: `ada+${made}` })).markBlocked();
    await (await count(person('bob'))).markBlocked();
    await (await count({ addressHash: 'ada+there', network: '192.0.2.1' })).markBlocked();
    await (await count({ addressHash: 'ada+nowhere', network: null })).markBlocked();
    await count({ addressHash: 'ada+elsewhere', network: null });
    const own = await voices({});
    expect(own.networkMailboxes1h).toMatchObject({ all: 2, blocked: 1 });
    expect(own.mailboxVoices24h).toEqual({ own: { all: 7, blocked: 6 }, others: { all: 2, blocked: 1 } });
    const home = await voices({ network: '198.51.100.4' });
    expect(home.mailboxVoices24h).toEqual({ own: { all: 1, blocked: 0 }, others: { all: 3, blocked: 1 } });
  });

  it('keeps what was blocked in every count, and an undone attempt out of all of them', async () => {
    for (let made = 0; made < 7; made += 1) {
      const counted = await count({ ...person(`p${made}`), network: `192.0.2.${made}` });
      await counted.markBlocked();
      if (made === 6) await counted.undo();
    }
    const undone = await count({ ...person('p7'), network: '192.0.2.7' });
    await undone.undo();
    await undone.markBlocked();
    const last = await count({});
    expect(last.counts).toMatchObject({ domain1h: 7, domain24h: 7 });
    expect(seen(last).domainVoices1h).toMatchObject({ all: 7, blocked: 6 });
  });

  it('counts nobody whom somebody brings, and limits and charges them like others', async () => {
    const brought = { broughtBy: 'directory' as const };
    for (let made = 0; made < 50; made += 1)
      expect((await count({ ...person(`p${made}`), ...brought })).counts).toEqual(countsAlone(signup));
    expect((await count(person('ada'))).counts).toEqual(countsAlone(signup));
    const request = { bucket: 'acc_a:live', event: { ...signup, ...brought } };
    const window = { windowMs: 5_000, admits: 1 };
    const first = await current().checkAndCount({ ...request, window, credit: null });
    expect(first).toMatchObject({ rate: { admitted: true }, counted: { counts: countsAlone(signup) } });
    const second = await current().checkAndCount({ ...request, window, credit: null });
    expect(second).toMatchObject({ rate: { admitted: false }, counted: null });
    await first.counted?.undo();
    expect((await count(person('bob'))).counts.network1h).toBe(2);
  });
}
