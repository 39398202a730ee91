/** Reading a policy file: what it may have, and errors of one line that name the place. */
import { expect, it } from 'vitest';
import { readCasesText } from './read-cases.ts';
import { readPolicyText } from './read-policy-file.ts';

const read = (text: string) => readPolicyText('policy.yaml', text);
const account = (...lines: string[]) =>
  ['version: 1', 'accounts:', '  - name: Shop', ...lines.map((line) => `    ${line}`)].join('\n');
const messageOf = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
};

it('reads all that it may have', () => {
  const file = read(
    [
      account(
        'thresholds: { challenge: 25, block: 70 }',
        'keys:',
        '  - { name: form, thresholds: account }',
        '  - { name: form, mode: test, thresholds: { challenge: 1, block: 100 } }',
        'weights: { vpn: 12.34 }',
        'lists:',
        '  allow:',
        '    - { value: Partner.Example, reason: " contract ", expires: 2027-01-31 }',
        '    - { value: jo@example.com, kind: address }',
        '  deny:',
        '    - { value: 64500 }',
        '    - { value: NO, kind: country }',
        '    - { value: j***@example.com, id: lst_1, kind: mailbox }',
        'shared_offices:',
        '  - { value: example.com + 203.0.113.7 }',
      ),
      'cases:',
      '  - email: jo@example.com',
      '    ip: 203.0.113.7',
      '    brought_by: member',
      '    evidence: { tor: true, country: fr, mx: none, signups_from_ip_1h: 9 }',
      '    expect: [challenge, block]',
      'accept: [list bombing]',
    ].join('\n'),
  );
  const [shop] = file.accounts;
  expect(shop).toMatchObject({
    name: 'Shop',
    place: 'policy.yaml:3:5',
    thresholds: { value: { challenge: 25, block: 70 }, place: 'policy.yaml:4:17' },
    keys: [
      { name: 'form', mode: 'live', thresholds: { value: null } },
      { name: 'form', mode: 'test', thresholds: { value: { challenge: 1, block: 100 } } },
    ],
    weights: [{ detector: 'vpn', weight: 12.3 }],
  });
  expect(shop?.entries.map(({ action, value, id }) => [action, value?.kind ?? id, value?.value])).toEqual([
    ['allow', 'domain', 'partner.example'],
    ['allow', 'address', 'jo@example.com'],
    ['deny', 'asn', 'AS64500'],
    ['deny', 'country', 'NO'],
    ['deny', 'lst_1', undefined],
    ['office', 'domain_network', 'example.com + 203.0.113.7'],
  ]);
  expect(shop?.entries[0]).toMatchObject({ reason: 'contract', expiresAt: Date.UTC(2027, 0, 31) });
  expect(file.cases).toMatchObject([
    {
      name: 'jo@example.com',
      broughtBy: 'member',
      expected: ['challenge', 'block'],
      evidence: { mx: 'none', ip: { tor: true, countryCode: 'FR' }, velocity: { ip1h: 9, ipMailboxes1h: 9 } },
    },
  ]);
  expect(file.accepted).toEqual([{ name: 'list bombing', place: expect.any(String) }]);
});

it('reads a file with nothing but a version, and cases of a file of their own', () => {
  expect(read('version: 1\naccounts:\ncases: []\n')).toEqual({ accounts: [], cases: [], accepted: [] });
  expect(readCasesText('cases.yaml', 'cases:\n  - { email: a@b.com, expect: allow }')).toMatchObject([
    { place: 'cases.yaml:2:5', expected: ['allow'] },
  ]);
});

it.each([
  ['', 'policy.yaml:1:1: the version is missing: begin the file with version: 1.'],
  ['version: 2', 'policy.yaml:1:10: version must be 1, the only one that this Gatehouse knows.'],
  ['version: 1\nacounts: []', 'policy.yaml:2:1: a policy file has no acounts; did you mean accounts?'],
  [
    'version: 1\naccounts: {}\n',
    'policy.yaml:2:11: accounts must be a list: a line each that begins with “- ”.',
  ],
  ['version: 1\naccounts:\n  - thresholds: default', 'policy.yaml:3:5: an account needs its name.'],
  ['version: 1\nversion: 1', /^policy\.yaml:2:1: Map keys must be unique/],
  ['version: 1\naccounts: [', /^policy\.yaml:\d+:\d+: .*flow sequence/i],
  [
    account('thresholds: { challenge: 70, block: 60 }'),
    'policy.yaml:4:30: challenge 70 must not be above block 60.',
  ],
  [
    account('thresholds: { challenge: 0, block: 60 }'),
    'policy.yaml:4:30: challenge must be a number from 1 to 100.',
  ],
  [account('thresholds: { challenge: 20 }'), 'policy.yaml:4:17: thresholds need block, or are default.'],
  [account('thresholds: standard'), /^policy\.yaml:4:17: thresholds must be a map/],
  [account('keys: [{ name: form }]'), 'policy.yaml:4:12: the key form needs thresholds.'],
  [
    account('keys:', '  - { name: a, thresholds: account }', '  - { name: a, thresholds: account }'),
    'policy.yaml:6:9: the key a is there already.',
  ],
  [account('weights: { vnp: 3 }'), 'policy.yaml:4:16: there is no detector vnp; docs/scoring.md lists them.'],
  [
    account('weights: { disposable_mx: 60 }'),
    'policy.yaml:4:31: the weight of disposable_mx must be a number from 0 to 59.',
  ],
  [
    account('lists:', '  deny:', '    - { value: 203.0.113.1/24 }'),
    'policy.yaml:6:20: 203.0.113.1/24 has bits beyond its prefix; the block is 203.0.113.0/24.',
  ],
  [
    account('lists:', '  deny:', '    - { value: a.example, kind: ip }'),
    'policy.yaml:6:20: a.example is of kind domain, not ip.',
  ],
  [
    account('lists:', '  deny:', '    - { value: j***@example.com }'),
    'policy.yaml:6:20: j***@example.com is masked: write the whole address, or the id of the entry.',
  ],
  [
    account('lists:', '  deny:', '    - { value: a.example, expires: 30d }'),
    'policy.yaml:6:40: expires must be a date, or a time such as 2027-01-31T12:00:00Z.',
  ],
  [
    account('lists:', '  deny:', '    - { value: a.example }', '    - { value: A.example }'),
    'policy.yaml:7:11: this entry is there already, at policy.yaml:6:11.',
  ],
  [
    account('shared_offices: [{ value: example.com }]'),
    /^policy\.yaml:4:31: example\.com is no shared office/,
  ],
  ['version: 1\ncases:\n  - { email: x, expect: allow }', 'policy.yaml:3:14: x is not an email address.'],
  [
    'version: 1\ncases:\n  - { email: a@b.com }',
    'policy.yaml:3:5: a case needs expect: allow, challenge or block.',
  ],
  [
    'version: 1\ncases:\n  - { email: a@b.com, expect: deny }',
    'policy.yaml:3:31: expect must be allow, challenge or block.',
  ],
  [
    'version: 1\ncases:\n  - { email: a@b.com, expect: allow, evidence: { tor: true } }',
    'policy.yaml:3:55: tor is about an IP address, and the case has none: add ip.',
  ],
  [
    'version: 1\ncases:\n  - { email: a@b.com, expect: allow, evidence: { mxx: none } }',
    'policy.yaml:3:50: evidence has no mxx; did you mean mx?',
  ],
])('names the place of what is wrong: %j', (text, message) => {
  expect(messageOf(text)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
});
