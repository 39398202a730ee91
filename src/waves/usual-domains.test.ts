import { describe, expect, it } from 'vitest';
import { aMember } from '../../test/support/a-member.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import { hexOf, joinKeys } from './group-key.ts';
import { WaveLearner } from './learner.ts';
import { ANY } from './learning.ts';
import { domainScope } from './scopes.ts';
import type { WaveMember } from './wave-member.ts';

const BYTES = 4_000_000;
const DAY = 24 * 60;
const DAY_MS = 86_400_000;
const FIRST = ['emma', 'liam', 'olivia', 'noah', 'sophia', 'lucas', 'mia', 'jan', 'anna', 'peter'];
const LAST = ['smith', 'jones', 'miller', 'weber', 'novak', 'rossi', 'garcia', 'martin', 'brown', 'clark'];
const named = (number: number) => `${FIRST[number % 10]}.${LAST[Math.floor(number / 10) % 10]}`;
const id = (number: number) => `s${2_500_000 + 37 * number}`;
const random = (number: number) =>
  Array.from({ length: 10 }, (_, at) => 'qxzjkvwbpf7193'[(number * 7 + at * at * 5 + at * number) % 14]).join(
    '',
  );

/** `size` people of a domain, evenly over `days`, each from a network of their own. */
function people(
  domain: string,
  {
    size = 12,
    days = 16,
    name = id,
    facts = {},
  }: Partial<{
    size: number;
    days: number;
    name: (number: number) => string;
    facts: Partial<WaveMember>;
  }> = {},
): WaveMember[] {
  return Array.from({ length: size }, (_, number) =>
    aMember(`${name(number)}@${domain}`, (number * days * DAY) / (size - 1), facts),
  );
}

function learned(members: readonly WaveMember[], stored: readonly UsualDomain[] = []) {
  const learner = new WaveLearner({ bytes: BYTES, usual: stored });
  for (const member of members) learner.learn(member);
  return { learner, usual: learner.takeUsual() };
}

const stoppedIf = (member: WaveMember, isBlocked: boolean) => ({
  ...member,
  isStopped: isBlocked,
  isBlocked,
});
const last = (members: readonly WaveMember[]) => members.at(-1) as WaveMember;
const usualOf = (members: readonly WaveMember[]) => {
  const { domain, at } = last(members);
  return learned(members).learner.usualOf('acc_1', domain, at);
};

describe('a domain is usual', () => {
  it('once ten people have come over two weeks, whatever their names, and says how many since when', () => {
    const members = people('uni.example');
    expect(usualOf(members)).toEqual({
      accountId: 'acc_1',
      domain: 'uni.example',
      people: 12,
      networks: expect.any(Number),
      since: members[0]?.at,
      lastAt: last(members).at,
    });
    expect(usualOf(people('uni.example').slice(0, -2))).toBeUndefined();
    const { learner } = learned(members);
    const { at } = last(members);
    expect(learner.usualOf('acc_1', 'cs.uni.example', at)).toMatchObject({ people: 12 });
    expect(learner.usualOf('acc_2', 'uni.example', at)).toBeUndefined();
    expect(learner.usualOf('acc_1', 'uni.example', at + 91 * DAY_MS)).toBeUndefined();
  });

  it.each<[string, WaveMember[]]>([
    ['a few people', people('firm.example', { size: 9 })],
    ['people of one week', people('firm.example', { size: 40, days: 7 })],
    [
      'a crowd of one afternoon and a straggler',
      [...people('firm.example', { size: 40, days: 0.1 }), aMember('late@firm.example', 20 * DAY)],
    ],
    [
      'one person who comes again and again',
      people('baker.example', { size: 30, name: (number) => (number % 2 === 0 ? 'info' : 'shop') }),
    ],
    ['numbers from one network', people('firm.example', { facts: { range: '10.0.0.0/24' } })],
    ['people from hosting', people('firm.example', { facts: { isHosting: true } })],
    ['names that look generated', people('firm.example', { name: random })],
    [
      'people who are blocked',
      people('firm.example', { size: 20 }).map((member, at) => stoppedIf(member, at % 6 === 5)),
    ],
    ['strangers who share it', people('provider.example', { facts: { mayBeUsual: false } })],
  ])('never by %s', (_, members) => {
    expect(usualOf(members)).toBeUndefined();
  });

  it('after a first crowd that was challenged for its rate', () => {
    const crowd = people('school.example', { size: 60, days: 0.1 }).map((member, at) => {
      return { ...member, isStopped: at > 15 };
    });
    const later = people('school.example', { size: 14, days: 20, name: (number) => id(number + 500) });
    const all = [...crowd, ...later];
    expect(usualOf(all)).toMatchObject({ people: 16 + 14 });
  });

  it('by names from its one office, or by twenty people from there; and where its standing is known, by its people alone', () => {
    const office = { range: '10.0.0.0/24' };
    expect(usualOf(people('firm.example', { name: named, facts: office }))).toMatchObject({ people: 12 });
    expect(usualOf(people('bank.example', { size: 25, facts: office }))).toMatchObject({ people: 25 });
    const guarded = { ...office, domainKind: 'guarded' } as const;
    expect(usualOf(people('bank.example', { facts: guarded }))).toMatchObject({ people: 12 });
  });
});

describe('what is usual', () => {
  const names = people('firm.example', { name: named, size: 20 });
  const crowdAfter = (minutes: number, name: (number: number) => string, size = 40) =>
    Array.from({ length: size }, (_, number) =>
      aMember(`${name(number + 50)}@${last(names).domain}`, 16 * DAY + minutes + number * 3),
    );

  it('is no licence: a sudden crowd of generated names is a wave, also where people had numbers', () => {
    for (const earlier of [names, people('firm.example', { size: 20 })]) {
      const { learner } = learned([...earlier, ...crowdAfter(60, random)]);
      expect(learner.takeChanged()).toMatchObject([{ scope: 'domain', mark: 'generated' }]);
      expect(learned([...earlier, ...crowdAfter(60, id, 300)]).learner.takeChanged()).toEqual([]);
    }
  });

  it('survives a few who are blocked, not those whom something blocks again and again', () => {
    const usualAfter = (blocked: number) => {
      const crowd = crowdAfter(60, id, 20).map((each, at) => stoppedIf(each, at < blocked));
      return learned([...names, ...crowd]).learner.usualOf('acc_1', 'firm.example', last(crowd).at);
    };
    expect(usualAfter(3)).toMatchObject({ people: 37 });
    expect(usualAfter(10)).toBeUndefined();
  });

  it('is what a person called theirs, though the names look generated', () => {
    const odd = people('firm.example', { size: 20, name: random });
    const usualIf = (isDismissed: boolean) => {
      const learner = new WaveLearner({ bytes: BYTES });
      learner.dismiss('acc_1', hexOf(joinKeys(domainScope('firm.example').key, ANY)), isDismissed);
      for (const member of odd) learner.learn(member);
      return learner.usualOf('acc_1', 'firm.example', last(odd).at)?.people;
    };
    expect(usualIf(true)).toBe(20);
    expect(usualIf(false)).toBeUndefined();
  });

  it('ends with a wave of its domain, and is stored so', () => {
    const farm = [...names, ...crowdAfter(60, random)];
    const { learner, usual } = learned(farm);
    expect(usual).toMatchObject([{ domain: 'firm.example', people: 0 }]);
    expect(learner.usualOf('acc_1', 'firm.example', last(farm).at)).toBeUndefined();
  });

  it('is stored again with a twentieth more people or a day later, not with each', () => {
    const learner = new WaveLearner({ bytes: BYTES });
    const stored: number[] = [];
    for (const member of [...people('uni.example', { size: 100, days: 20 })]) {
      learner.learn(member);
      for (const row of learner.takeUsual()) stored.push(row.people);
    }
    expect(stored[0]).toBeGreaterThanOrEqual(70);
    expect(stored.length).toBeLessThan(10);
    expect(stored.at(-1)).toBeGreaterThan(93);
  });

  it('goes on counting after a restart: a replay counts nobody twice and writes the same', () => {
    const all = people('uni.example', { size: 60, days: 30 });
    const whole = learned(all);
    const half = learned(all.slice(0, 45));
    const again = learned(all, half.usual);
    expect(again.learner.usualOf('acc_1', 'uni.example', last(all).at)?.people).toBe(60);
    expect(whole.learner.usualOf('acc_1', 'uni.example', last(all).at)?.people).toBe(60);
    expect(learned(all).usual).toEqual(whole.usual);
    expect(learned(all.slice(0, 45), half.usual).usual).toEqual([]);
  });

  it('begins anew where nobody came for a quarter: the domain may have been sold', () => {
    const late = aMember('s1@uni.example', 120 * DAY);
    const { learner, usual } = learned([...people('uni.example'), late]);
    expect(usual).toMatchObject([{ people: 0 }]);
    expect(learner.usualOf('acc_1', 'uni.example', late.at)).toBeUndefined();
  });
});
