import { describe, expect, it } from 'vitest';
import { aMember } from '../../test/support/a-member.ts';
import type { LearnedCampaign } from '../model/campaign.ts';
import { WaveLearner } from './learner.ts';
import type { WaveMember } from './wave-member.ts';

const BYTES = 4_000_000;
const FIRST = ['emma', 'liam', 'olivia', 'noah', 'sophia', 'lucas', 'mia', 'jan', 'anna', 'peter'];
const LAST = ['smith', 'jones', 'miller', 'weber', 'novak', 'rossi', 'garcia', 'martin', 'brown', 'clark'];

/** A generator whose numbers a test can repeat. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = createRandom(7);
const text = (length: number, letters = 'abcdefghijklmnopqrstuvwxyz0123456789') =>
  Array.from({ length }, () => letters[random(letters.length)]).join('');
const human = (number: number) =>
  `${FIRST[number % 10]}.${LAST[Math.floor(number / 10) % 10]}${number >= 100 ? number : ''}`;

/** Place of the first member that belongs to a campaign, from 1; 0: none. */
function learnAll(learner: WaveLearner, members: readonly WaveMember[]): number {
  let first = 0;
  for (const [number, member] of members.entries()) {
    if (first === 0 && learner.find(member) !== null) first = number + 1;
    learner.learn(member);
  }
  return first;
}

const waveAt = (domain: string, size: number, every = 20) =>
  Array.from({ length: size }, (_, number) => aMember(`${text(10)}@${domain}`, number * every));
const providerPeople = (size: number, every = 3) =>
  Array.from({ length: size }, (_, number) =>
    aMember(`${human(number)}@mail.example`, number * every, { domainKind: 'provider' }),
  );

const ADJECTIVES = [
  'frail',
  'stern',
  'wooden',
  'humble',
  'quaint',
  'alienated',
  'eminent',
  'rapid',
  'gloomy',
];
const THINGS = ['receptor', 'bench', 'lid', 'numeracy', 'hope', 'gradient', 'airport', 'cushion', 'ledger'];
const ANIMALS = ['fox', 'wolf', 'tiger', 'shark', 'otter', 'falcon'];
const byTime = (one: WaveMember, other: WaveMember) => one.at - other.at;
const pairs = (size: number, minute: number) =>
  Array.from({ length: size }, (_, number) =>
    aMember(
      `${ADJECTIVES[number % 9]}${THINGS[(number + Math.floor(number / 9)) % 9]}@mail.example`,
      minute + 15 * number,
      { domainKind: 'provider', mailbox: `pair ${minute} ${number}` },
    ),
  );
/** People who call themselves by animals. */
const peopleWithWords = (size: number, minute: number) =>
  Array.from({ length: size }, (_, number) =>
    aMember(`crazy${ANIMALS[number % 6]}@mail.example`, minute + 150 * number, {
      domainKind: 'provider',
      mailbox: `animal ${minute} ${number}`,
    }),
  );

describe('WaveLearner', () => {
  it('finds generated names at a domain that nobody knows, by the sixth', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    const first = learnAll(learner, waveAt('postfarm.example', 30));
    expect(first).toBeGreaterThan(1);
    expect(first).toBeLessThanOrEqual(6);
    const [campaign] = learner.takeChanged();
    expect(campaign).toMatchObject({
      accountId: 'acc_1',
      scope: 'domain',
      scopeText: 'postfarm.example',
      mark: 'generated',
      members: 30,
      letIn: 30,
      stopped: 0,
      families: ['names', 'domain'],
    });
    expect(campaign?.decades).toBeGreaterThan(9);
  });

  it('leaves the people of a company alone, and a class with years and names, and numbers of students', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    for (let number = 0; number < 100; number += 1) {
      for (const local of [
        human(number),
        `26${LAST[number % 10]}${'abcdefghij'[number / 10]}`,
        `s${1_000_000 + 37 * number}`,
      ])
        learner.learn(aMember(`${local}@firm.example`, number));
    }
    expect(learner.takeChanged()).toEqual([]);
  });

  it('leaves a company alone whose people have a name and an initial, all at once', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    for (const name of ['zbynek', 'kazimierz', 'wilczek', 'lehtinen', 'katarzyna', 'thijs', 'meszaros'])
      for (const initial of 'bcfgkmprvw') learner.learn(aMember(`${name}${initial}@firm.example`, 1));
    expect(learner.takeChanged()).toEqual([]);
  });

  it('finds random names among the people of a provider', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    learnAll(learner, providerPeople(1_500));
    expect(learner.takeChanged()).toEqual([]);
    const wave = Array.from({ length: 40 }, (_, number) =>
      aMember(`${text(14)}@mail.example`, 4_500 + 3 * number, { domainKind: 'provider' }),
    );
    const first = learnAll(learner, wave);
    expect(first).toBeGreaterThan(1);
    expect(first).toBeLessThanOrEqual(10);
    const person = aMember('grace.lee@mail.example', 4_700, { domainKind: 'provider' });
    expect(learner.find(person)).toBeNull();
  });

  it('finds an adjective and a thing without digits, and leaves other two words alone', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    learnAll(learner, [...providerPeople(1_500)].concat(peopleWithWords(30, 0)).sort(byTime));
    const people = providerPeople(1_500).map((member) => ({ ...member, at: member.at + 4_500 * 60_000 }));
    const first = learnAll(learner, pairs(40, 4_500));
    expect(first).toBeGreaterThan(1);
    expect(first).toBeLessThanOrEqual(30);
    learnAll(learner, [...people, ...pairs(100, 5_500), ...peopleWithWords(30, 4_500)].sort(byTime));
    const at = (email: string) => learner.find(aMember(email, 6_500, { domainKind: 'provider' }));
    expect(at('sternbench@mail.example')?.toLearned().mark).toBe('words');
    expect(at('crazyfox@mail.example')).toBeNull();
    expect(at('stern.bench@mail.example')).toBeNull();
  });

  it('finds a wave at the provider at which another one is larger', () => {
    const firstBeside = (size: number) => {
      const learner = new WaveLearner({ bytes: BYTES });
      const kit = Array.from({ length: size }, (_, number) =>
        aMember(`${text(14)}@mail.example`, 4_000 + number, { domainKind: 'provider' }),
      );
      const wave = pairs(60, 4_500);
      const others = [...providerPeople(1_700), ...peopleWithWords(30, 0), ...kit].sort(byTime);
      learnAll(
        learner,
        others.filter(({ at }) => at < (wave[0] as WaveMember).at),
      );
      const rest = others.filter(({ at }) => at >= (wave[0] as WaveMember).at);
      const found = new Set<WaveMember>();
      for (const member of [...rest, ...wave].sort(byTime)) {
        if (learner.find(member) !== null) found.add(member);
        learner.learn(member);
      }
      return wave.findIndex((member) => found.has(member)) + 1;
    };
    const alone = firstBeside(0);
    expect(alone).toBeGreaterThan(1);
    // A few of the kit are not recognised.
    expect(Math.abs(firstBeside(1_000) - alone)).toBeLessThanOrEqual(6);
  });

  it('finds names with as many digits each from one range of addresses', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    learnAll(learner, providerPeople(1_500));
    const farm = Array.from({ length: 30 }, (_, number) =>
      aMember(
        `${FIRST[number % 10]}${LAST[number % 7]}${text(4, '0123456789')}@mail.example`,
        4_500 + 15 * number,
        {
          domainKind: 'provider',
          range: '203.0.113.0/24',
        },
      ),
    );
    const first = learnAll(learner, farm);
    expect(first).toBeGreaterThan(1);
    expect(first).toBeLessThanOrEqual(15);
  });

  it('finds domains bought in a row, though each has few members', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    const members = Array.from({ length: 30 }, (_, number) =>
      aMember(`${text(10)}@farm${Math.floor(number / 3)}.example`, 60 * number),
    );
    const first = learnAll(learner, members);
    expect(first).toBeGreaterThan(1);
    expect(first).toBeLessThanOrEqual(12);
    expect(learner.takeChanged().map(({ scope }) => scope)).toContain('fresh_domains');
  });

  it('finds sub-domains that nobody else has', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    const members = Array.from({ length: 20 }, (_, number) =>
      aMember(`${human(number)}@${text(6)}.farm.example`, number, { registrable: 'farm.example' }),
    );
    const first = learnAll(learner, members);
    expect(first).toBeGreaterThan(1);
    expect(first).toBeLessThanOrEqual(10);
  });

  it('finds a list bombing by its victims, and stops nobody else', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    learnAll(learner, providerPeople(1_500));
    const victims = (['gateway', 'desk', 'dots'] as const).flatMap((victim) =>
      Array.from({ length: 5 }, (_, number) =>
        aMember(`v${victim}${number}@victim.example`, 4_500 + number, { victim, domainKind: 'provider' }),
      ),
    );
    expect(learnAll(learner, victims)).toBeGreaterThan(1);
    expect(learner.find(victims[0] as WaveMember)?.toLearned().mark).toBe('victims');
    expect(learner.find(aMember('grace.lee@mail.example', 4_510, { domainKind: 'provider' }))).toBeNull();
  });

  it('finds many spellings of one mailbox from many networks, and never its owner', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    const box = { mailbox: 'box', domainKind: 'provider' as const };
    const tagged = Array.from({ length: 12 }, (_, number) =>
      aMember(`grace.lee+${text(5)}@mail.example`, 600 * number, { ...box, isCanonical: false }),
    );
    const first = learnAll(learner, tagged);
    expect(first).toBeGreaterThan(5);
    expect(first).toBeLessThanOrEqual(8);
    expect(learner.find(aMember('grace.lee@mail.example', 7_300, box))).toBeNull();
  });

  it('counts members of a key in shadow mode as let in, whatever their verdicts are', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    const observed = waveAt('postfarm.example', 30).map((member) => ({
      ...member,
      isStopped: true,
      isLetIn: true,
    }));
    learnAll(learner, observed);
    expect(learner.takeChanged()).toMatchObject([{ members: 30, letIn: 30, stopped: 0 }]);
  });

  it('never has more members stopped, or from hosting, than it has', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    const box = { mailbox: 'box', domainKind: 'provider', isCanonical: false, isStopped: true } as const;
    for (let number = 0; number < 40; number += 1)
      learner.learn(aMember(`grace.lee+${number}@mail.example`, number / 5, { ...box, isHosting: true }));
    const campaigns = learner.takeChanged();
    expect(campaigns.length).toBeGreaterThan(0);
    for (const { members, stopped, letIn, hosting } of campaigns) {
      expect(stopped + letIn).toBe(members);
      expect(letIn).toBeGreaterThanOrEqual(0);
      expect(hosting).toBeLessThanOrEqual(members);
    }
  });

  it('takes spellings of a stranger from one network for one voice', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    const box = { mailbox: 'box', domainKind: 'provider' as const, isCanonical: false };
    for (let number = 0; number < 9; number += 1)
      learner.learn(
        aMember(`grace.lee+${number}@mail.example`, number, { ...box, range: '198.51.100.0/24' }),
      );
    const owner = aMember('grace.lee+shop@mail.example', 60, { ...box, range: '192.0.2.0/24' });
    expect(learner.find(owner)).toBeNull();
  });

  it('hides no wave behind a flood of keys that come once', () => {
    const learner = new WaveLearner({ bytes: 300_000 });
    let first = 0;
    for (const [number, member] of waveAt('postfarm.example', 20).entries()) {
      if (first === 0 && learner.find(member) !== null) first = number + 1;
      learner.learn(member);
      for (let flood = 0; flood < 500; flood += 1)
        learner.learn(aMember(`${human(flood)}@f${number}x${flood}.example`, number * 20 + flood / 1_000));
    }
    expect(first).toBeGreaterThan(1);
    expect(first).toBeLessThanOrEqual(8);
  });

  it('tells how sure a wave is by its own members, also where others pushed it out of the table', () => {
    const learner = new WaveLearner({ bytes: 30_000 });
    const wave = (domain: string, size: number, after = 0) =>
      waveAt(domain, size, 1).map((member) => ({
        ...member,
        mayBeNew: false,
        at: member.at + after * 60_000,
      }));
    const small = Array.from({ length: 12 }, (_, number) => `small${number}.example`);
    for (const domain of small) learnAll(learner, wave(domain, 6));
    for (let number = 0; number < 60; number += 1) learnAll(learner, wave(`large${number}.example`, 40, 60));
    for (const domain of small) learnAll(learner, wave(domain, 1, 120));
    const found = learner.takeChanged().filter(({ scopeText }) => small.includes(scopeText));
    expect(found.map(({ members }) => members)).toEqual(small.map(() => 7));
    expect(Math.max(...found.map(({ decades }) => decades))).toBeLessThan(20);
  });

  it('counts a person who submits a form again once', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    for (let number = 0; number < 30; number += 1) learner.learn(aMember('x7f9q2k1zp@own.example', number));
    expect(learner.takeChanged()).toEqual([]);
  });

  it('keeps the waves of accounts apart', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    for (const [number, member] of waveAt('postfarm.example', 3).entries())
      for (const accountId of ['acc_1', 'acc_2', 'acc_3'])
        learner.learn({ ...member, accountId, at: member.at + number });
    expect(learner.takeChanged().filter(({ members }) => members > 3)).toEqual([]);
  });

  it('makes the same campaigns of the same members', () => {
    const members = [...waveAt('a.example', 12), ...waveAt('b.example', 12)];
    const [one, other] = [new WaveLearner({ bytes: BYTES }), new WaveLearner({ bytes: BYTES })];
    for (const member of members) for (const learner of [one, other]) learner.learn(member);
    const changed = one.takeChanged();
    expect(changed.length).toBeGreaterThan(1);
    expect(other.takeChanged()).toEqual(changed);
  });

  it('finds numbered names at a domain, also where mobile carriers hide who shares a network', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    const members = Array.from({ length: 20 }, (_, at) =>
      aMember(`test${50 + at}@postfarm.example`, 60 * at, at % 3 === 1 ? { range: null } : {}),
    );
    expect(learnAll(learner, members)).toBe(6);
    const office = new WaveLearner({ bytes: BYTES });
    const staff = members.map((member, at) => ({ ...member, range: at % 3 === 1 ? null : '192.0.2.0/24' }));
    expect(learnAll(office, staff)).toBe(0);
  });

  it('opens nothing that a person dismissed', () => {
    const [before, learner] = [new WaveLearner({ bytes: BYTES }), new WaveLearner({ bytes: BYTES })];
    learnAll(before, waveAt('postfarm.example', 20));
    const campaign = before.takeChanged().find(({ scope }) => scope === 'domain') as LearnedCampaign;
    learner.dismiss('acc_1', campaign.key, true);
    expect(learnAll(learner, waveAt('postfarm.example', 20))).toBe(0);
    expect(learner.takeChanged()).toEqual([]);
    learner.dismiss('acc_1', campaign.key, false);
    learnAll(learner, waveAt('postfarm.example', 20, 2_000));
    expect(learner.takeChanged().map(({ key }) => key)).toContain(campaign.key);
  });

  it('opens another campaign when a wave comes again after its end', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    learnAll(learner, waveAt('postfarm.example', 20));
    const [first] = learner.takeChanged();
    const later = (first?.lastAt ?? 0) + 8 * 86_400_000;
    expect(learner.takeEnded(later)).toHaveLength(1);
    for (const member of waveAt('postfarm.example', 20))
      learner.learn({ ...member, at: later + member.at - (first?.since ?? 0) });
    const [again] = learner.takeChanged();
    expect(again).toMatchObject({ scopeText: 'postfarm.example', key: first?.key });
    expect(again?.id).not.toBe(first?.id);
  });

  it('ends a wave when nobody comes any more', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    const members = waveAt('postfarm.example', 20);
    learnAll(learner, members);
    const { at } = members.at(-1) as WaveMember;
    expect(learner.takeEnded(at + 3_600_000)).toEqual([]);
    expect(learner.takeEnded(at + 6 * 86_400_000)).toHaveLength(1);
    expect(learner.find(aMember('x7f9q2k1zp@postfarm.example', 20 * 20 + 6 * 1_440))).toBeNull();
  });
});
