// Judges crowds of innocent people and farms, with the bundled lists and nothing from outside, and prints who is challenged and blocked.
import { createAddressHashes } from '../dist/address/fingerprint.js';
import { createGather } from '../dist/evidence/gather.js';
import { createGatherEmail } from '../dist/evidence/gather-email.js';
import { UNASSOCIATED } from '../dist/evidence/mail-host-facts.js';
import { createSharedAddresses, ownerOf } from '../dist/evidence/shared-addresses.js';
import { BASELINE_FILE } from '../dist/intel/bundled-snapshot.js';
import { openSnapshot } from '../dist/intel/snapshot.js';
import { createTypingMistakes } from '../dist/intel/typing-mistake.js';
import { DEFAULT_THRESHOLDS } from '../dist/model/policy.js';
import { judge } from '../dist/signup/judge.js';
import { DEFAULT_POLICY } from '../dist/signup/policy.js';
import { readSignupAttempt, toSubject } from '../dist/signup/prepare-signup.js';
import { createMemoryCounters } from '../dist/velocity/memory/memory.js';
import { readOptions } from '../scripts/read-options.mjs';
import { CROWDS } from './crowd-list.mjs';

const {
  values: { json },
} = readOptions(
  `npm run bench -- crowds [--json]
  --json   for programs`,
  { options: { json: { type: 'boolean', default: false } } },
);
const START = Date.UTC(2026, 4, 10, 9);
const intel = await openSnapshot(BASELINE_FILE);
const gather = createGather({
  gatherEmail: createGatherEmail({
    mailExchange: { lookup: (domain) => ({ status: 'valid', hosts: [`mx.${domain}`] }) },
    domainAge: { lookup: () => ({ days: -1, status: 'unlisted' }) },
    mailHosts: { load: () => undefined, associate: () => UNASSOCIATED },
    typingMistakes: createTypingMistakes(),
    goodReports: { isGood: () => false },
    domainReputation: undefined,
  }),
  intel: () => intel,
  ownLists: { find: () => null, findOffice: () => null },
  ipReputation: undefined,
  observe: () => {},
});
const hashes = createAddressHashes([Buffer.alloc(32, 1)]);

function print(text) {
  process.stdout.write(`${text}\n`);
}

/** Signups of a day ago, so that their counts are over: the key had visitors with addresses of their own. */
function noteVisitors(addresses, key) {
  for (let number = 1; number <= 20; number += 1) {
    const network = `79.192.2.${number}`;
    addresses.note({ ...key, at: START - 86_400_000, network, mailbox: network }, 'visitor');
  }
}

/** The verdict of each signup. */
async function judgeCrowd({ signups, facts = {}, isNewKey = false }) {
  const counters = createMemoryCounters();
  const addresses = createSharedAddresses({ onChange() {} });
  const key = { keyId: 'key_crowd', account: 'acc_crowd' };
  if (!isNewKey) noteVisitors(addresses, key);
  const verdicts = [];
  for (const [number, { email, ip, atMs, broughtBy, isInnocent, facts: own = {} }] of signups.entries()) {
    const attempt = readSignupAttempt({ email, ip, brought_by: broughtBy ?? null });
    const event = { id: `req_${number}`, account: 'acc_crowd', at: START + atMs };
    const subject = toSubject(attempt, event, hashes);
    const { counted } = counters.checkAndCount({
      bucket: 'acc_crowd',
      window: null,
      credit: null,
      event: subject,
    });
    const evidence = await gather(subject, counted);
    const knownIp = { ...evidence.ip, ...facts.ip, ...own.ip };
    const { network, mailbox, at } = subject;
    const sharedByKey = !broughtBy && addresses.note({ ...key, at, network, mailbox }, ownerOf(knownIp));
    const known = {
      ...evidence,
      email: { ...evidence.email, ...facts.email, ...own.email },
      ip: { ...knownIp, sharedByKey },
    };
    const judgement = judge(known, { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS });
    if (judgement.verdict === 'block') await counted.markBlocked();
    verdicts.push({ isInnocent, ...judgement });
  }
  return verdicts;
}

function countVerdicts(name, judged) {
  const of = (verdict) => judged.filter((each) => each.verdict === verdict).length;
  const first = judged.findIndex(({ verdict }) => verdict !== 'allow') + 1;
  return {
    name,
    signups: judged.length,
    challenged: of('challenge'),
    blocked: of('block'),
    first,
    highest: Math.max(...judged.map(({ score }) => score)),
  };
}

const rows = [];
for (const crowd of CROWDS) {
  const judged = await judgeCrowd(crowd);
  const [innocent, others] = [true, false].map((kind) =>
    judged.filter(({ isInnocent }) => isInnocent === kind),
  );
  if (innocent.length > 0) rows.push({ isInnocent: true, ...countVerdicts(crowd.name, innocent) });
  if (others.length > 0) rows.push({ isInnocent: false, ...countVerdicts(crowd.name, others) });
}
if (json) print(JSON.stringify(rows, null, 2));
else {
  print('| Crowd | who | signups | challenged | blocked | first stopped | highest score |');
  print('|---|---|---:|---:|---:|---:|---:|');
  for (const { name, isInnocent, signups, challenged, blocked, first, highest } of rows)
    print(
      `| ${name} | ${isInnocent ? 'people' : 'attack'} | ${signups} | ${challenged} | ${blocked} | ${first || '–'} | ${highest} |`,
    );
}
