/** The conditions of a search are the same in code and in SQL. */
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import type { Label } from '../../contract/dashboard-assessments.ts';
import { mailHostOf } from '../../model/mail-host.ts';
import { mainDetectorOf } from '../../model/main-finding.ts';
import { openSqlite } from '../../platform/sqlite-driver.ts';
import { matchesSearch } from '../history-matches.ts';
import type { RelatedSearch } from '../history-search.ts';
import type { HistoryChoices } from '../history-store.ts';
import { conditionsOf, createBind, FINDING, MAIL_HOST } from '../postgres/history-sql.ts';
import { createQuery } from '../sqlite-query.ts';
import type { StoredAssessment } from '../stored-assessment.ts';
import { encodeText } from '../text.ts';

const COLUMNS =
  `account_id, request_id, mode, shadow, verdict, reasons, score, email_domain, asn, country_code, key_id, at,
  session_id, network, mailbox_hash, address_hash, ip, finding, mail_host, facts`.split(/,\s+/);
const DOMAINS = ['example.com', 'a.example.com', 'notexample.com', 'com', 'xn--bcher-kva.example'];
const TEXTS = ['plain', 'hard \u0000 " \ud800', ''];
const VERDICTS = ['allow', 'challenge', 'block'] as const;
const LABELS: readonly (Label | null)[] = ['false_positive', 'confirmed_fraud', null];
const REASONS = ['ip_hosting', 'email_alias', 'email_domain_new'] as const;

const OWN = [
  '',
  ',"list",["lst_1","deny"]',
  ',"office",["lst_2","ip"],"campaign",["wav_1","range"]',
  ',"list",["lst_1","allow"],"office",["lst_2","ip"]',
  ',"list",["lst_11","allow"]',
];
const FACTS = ['vpn",28', 'plus_alias",4.9'].flatMap((finding) =>
  ['', ',"hosts",["mx.a.example","b.example"]', ',"hosts",["xa.example"]'].flatMap((hosts) =>
    OWN.map((own) => `[1,"a","default-2",30,60,["${finding},0]${hosts}${own}]`),
  ),
);

const database = openSqlite(':memory:');
afterAll(() => database.close());
database.exec(
  `CREATE TABLE assessments (${COLUMNS.join(', ')}); CREATE TABLE feedback (request_id, outcome)`,
);
const query = createQuery(database);

const aHead: fc.Arbitrary<StoredAssessment> = fc
  .record({
    mode: fc.constantFrom('live', 'test'),
    shadow: fc.boolean(),
    verdict: fc.constantFrom(...VERDICTS),
    reasons: fc.subarray([...REASONS]),
    score: fc.nat(3),
    emailDomain: fc.constantFrom(...DOMAINS),
    asn: fc.nat(2),
    countryCode: fc.constantFrom('', 'FR'),
    keyId: fc.constantFrom('key_a', 'key_b'),
    at: fc.nat(3),
    sessionId: fc.constantFrom(...TEXTS, null),
    network: fc.constantFrom('203.0.113.7', '2001:db8::/64', null),
    mailboxHash: fc.constantFrom('m1', 'm2'),
    addressHash: fc.constantFrom('a1', 'a2'),
    facts: fc.constantFrom(...FACTS),
  })
  .map((fields) => anAssessment(fields as Partial<StoredAssessment>));

const choiceOf = <Value>(...values: readonly Value[]) =>
  fc.record({
    any: fc.subarray([...values], { maxLength: 2 }),
    not: fc.subarray([...values], { maxLength: 2 }),
  });
const aWhere: fc.Arbitrary<HistoryChoices> = fc
  .record({
    reason: choiceOf(...REASONS, null),
    finding: choiceOf('', 'vpn', 'hosting'),
    domain: choiceOf(...DOMAINS.flatMap((domain) => [false, true].map((below) => ({ domain, below })))),
    asn: choiceOf(0, 1, 2),
    country: choiceOf('', 'FR'),
    keyId: choiceOf('key_a', 'key_b'),
    sessionId: choiceOf(...TEXTS, null),
    mailbox: choiceOf('m1', 'm2'),
    mailHost: choiceOf('mx.a.example', 'a.example', 'xa.example', null),
    listEntry: choiceOf('lst_1', 'lst_2', null),
    campaign: choiceOf('wav_1', null),
    requestId: choiceOf(anAssessment().requestId, 'req_other'),
    feedback: choiceOf(...LABELS),
  })
  .chain((whole) =>
    fc
      .subarray(Object.entries(whole), { maxLength: 2 })
      .map((members) => Object.fromEntries(members) as HistoryChoices),
  );

const aWhole: fc.Arbitrary<RelatedSearch> = fc.record({
  mode: fc.constantFrom('live', 'test'),
  shadow: fc.boolean(),
  verdicts: fc.subarray([...VERDICTS], { minLength: 1 }),
  reason: fc.constantFrom(...REASONS, 'ip_reputation'),
  finding: fc.constantFrom('', 'vpn'),
  scoreMin: fc.nat(3),
  scoreMax: fc.nat(3),
  domain: fc.constantFrom(...DOMAINS),
  below: fc.constantFrom(...DOMAINS),
  asn: fc.nat(2),
  country: fc.constantFrom('', 'FR'),
  keyId: fc.constantFrom('key_a', 'key_b'),
  from: fc.nat(3),
  to: fc.nat(3),
  feedback: fc.constantFrom('any', 'none', 'false_positive'),
  sessionId: fc.constantFrom(...TEXTS),
  network: fc.constantFrom('203.0.113.7', '2001:db8::/64'),
  mailbox: fc.constantFrom('m1', 'm2'),
  address: fc.constantFrom('a1', 'a2'),
  where: aWhere,
});
/** With few members, because more rarely match anything. */
const aSearch = aWhole.chain((whole) =>
  fc
    .subarray(Object.entries(whole), { maxLength: 3 })
    .map((members) => Object.fromEntries(members) as RelatedSearch),
);

async function findsInSql(
  head: StoredAssessment,
  label: Label | null,
  search: RelatedSearch,
): Promise<boolean> {
  database.exec('DELETE FROM assessments; DELETE FROM feedback');
  const values = [
    head.accountId,
    head.requestId,
    head.mode,
    Number(head.shadow),
    head.verdict,
    head.reasons.join(' '),
  ];
  values.push(head.score, head.emailDomain, head.asn, head.countryCode, head.keyId, head.at);
  const session = head.sessionId === null ? null : encodeText(head.sessionId);
  const rest = [
    session,
    head.network,
    head.mailboxHash,
    head.addressHash,
    head.ip,
    mainDetectorOf(head.facts),
    mailHostOf(head.facts),
    head.facts,
  ];
  database
    .prepare(`INSERT INTO assessments VALUES (${COLUMNS.map(() => '?').join(', ')})`)
    .run(...values, ...rest);
  if (label !== null) database.prepare('INSERT INTO feedback VALUES (?, ?)').run(head.requestId, label);
  const { bind, values: bound } = createBind();
  const conditions = conditionsOf(head.accountId, search, bind)
    .replaceAll('strpos(', 'instr(')
    .replaceAll(FINDING, 'a.finding')
    .replaceAll(MAIL_HOST, 'a.mail_host');
  return (await query(`SELECT 1 FROM assessments AS a WHERE ${conditions}`, bound)).length > 0;
}

it('gives the same result as the SQL statement, for any search', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(aHead, fc.constantFrom(...LABELS), aSearch, async (head, label, search) => {
      const isFound = matchesSearch(head, label, search);
      found += Number(isFound);
      expect(isFound).toBe(await findsInSql(head, label, search));
    }),
    { numRuns: 2_000 },
  );
  expect(found).toBeGreaterThan(20);
});

it('finds an address only in a block of its own family', () => {
  const isIn = (ip: string | null, first: string, last: string) =>
    matchesSearch(anAssessment({ ip }), null, { ip: { first, last } });
  expect(isIn('203.0.113.7', '203.0.112.0', '203.0.113.255')).toBe(true);
  expect(isIn('203.0.114.0', '203.0.112.0', '203.0.113.255')).toBe(false);
  expect(isIn('2001:db8::1', '2001:db8::', '2001:db8::ffff')).toBe(true);
  expect(isIn('203.0.113.7', '::', '2001:db8::ffff')).toBe(false);
  expect(isIn(null, '0.0.0.0', '255.255.255.255')).toBe(false);
  const chosen = (ip: string | null, where: HistoryChoices) =>
    matchesSearch(anAssessment({ ip }), null, { where });
  const block = { first: '203.0.112.0', last: '203.0.113.255' };
  expect(chosen('203.0.113.7', { ip: { any: [block, null], not: [] } })).toBe(true);
  expect(chosen(null, { ip: { any: [block, null], not: [] } })).toBe(true);
  expect(chosen(null, { ip: { any: [], not: [block] } })).toBe(true);
  expect(chosen('203.0.113.7', { ip: { any: [], not: [block] } })).toBe(false);
  expect(chosen('2001:db8::1', { ip: { any: [block], not: [] } })).toBe(false);
});
