import { expect, it } from 'vitest';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import type { Standing } from '../model/evidence.ts';
import { describeDomainBurst, describeIpBurst } from './bursts.ts';
import { describeNorm } from './norm-words.ts';

const norm = (standing: Standing, usualPeople = 218) => ({
  standing,
  usualPeople,
  usualSince: usualPeople === 0 ? 0 : Date.UTC(2026, 2, 3, 23),
});

it.each<[Standing, string]>([
  ['institution', '218 people of this university or school came before, since 3 March 2026'],
  ['usual', '218 people of this domain came before, since 3 March 2026'],
  ['popular', '218 people of this domain came before, since 3 March 2026'],
])('says who came before, where the standing is %j', (standing, sentence) => {
  expect(describeNorm(norm(standing))).toBe(sentence);
});

it('says nothing of few', () => {
  expect(describeNorm(norm('institution', 0))).toBe('');
});

it('stands beside the bursts of the domain’s people, and of strangers who only share the address it does not', () => {
  const ofDomain = ordinaryEvidence({ email: norm('usual'), velocity: { domain1h: 40, domainVoices1h: 30 } });
  expect(describeDomainBurst(ofDomain)).toBe(
    '40 addresses of acme.example within an hour, from 30 networks; 218 people of this domain came before, since 3 March 2026',
  );
  const together = { ip1h: 40, ipMailboxes1h: 40, ipNamed1h: 0 };
  const ofIp = (ipOwnDomain1h: number) =>
    describeIpBurst(ordinaryEvidence({ email: norm('usual'), velocity: { ...together, ipOwnDomain1h } }));
  expect(ofIp(40)).toBe(
    '40 people from this IP within an hour, 40 of them at acme.example and 0 with a name; 218 people of this domain came before, since 3 March 2026',
  );
  expect(ofIp(3)).toBe('40 people from this IP within an hour');
});
