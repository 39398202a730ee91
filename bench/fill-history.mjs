// Fills the embedded store with assessments like those of real traffic: common and rare domains, blocks, keys, countries.
import { toParts } from '../dist/store/records/batch-rows.js';
import { toTexts } from '../dist/store/records/record-batch.js';
import { batchValues, INSERT_BATCH } from '../dist/store/records/recorder.js';
import { firstIdAt } from '../dist/store/request-time.js';

const RARE = 25_000;
const AT_ONCE = 64;
const FEEDBACK_EVERY = 499;
const FACTS =
  '[1,"bench","bench",30,70,["tor",45,0],577,0,1,0,9131,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,"FR","hosts",["aspmx.l.google.com"]]';
const INSERT_FEEDBACK = `INSERT INTO feedback (request_id, outcome, note, key_id, at, account_id, assessed_at, seq)
  VALUES (?, ?, NULL, ?, ?, ?, ?, ?)`;

/** Writes `rows` assessments of an account, evenly spread from `from` to `to` (milliseconds); the same in each run. */
export function fillHistory(database, { account, key, rows, from, to }) {
  database.pragma('synchronous = OFF');
  const insert = database.prepare(INSERT_BATCH);
  const report = database.prepare(INSERT_FEEDBACK);
  database.exec('BEGIN IMMEDIATE');
  for (let first = 1; first <= rows; first += AT_ONCE) {
    const records = Array.from({ length: Math.min(AT_ONCE, rows - first + 1) }, (_, place) =>
      assessment(first + place, account, key, from + Math.floor(((first + place) * (to - from)) / rows)),
    );
    let seq = first;
    for (const part of toParts(toTexts(records))) {
      insert.run(batchValues(seq, part));
      seq += part.count;
    }
    for (const [place, { requestId, keyId, accountId, at }] of records.entries()) {
      if ((first + place) % FEEDBACK_EVERY !== 0) continue;
      const outcome = (first + place) % 3 === 0 ? 'false_negative' : 'false_positive';
      report.run(requestId, outcome, keyId, at + 5_000, accountId, at, first + place);
    }
  }
  database.exec('COMMIT');
}

function assessment(i, account, key, at) {
  const h = (salt) => pseudorandom(i, salt);
  const address = `10.${h(11) % 4}.${h(12) % 256}.${h(13) % 256}`;
  const [verdict, score] = [h(4) % 100, h(5) % 100];
  const isTor = h(6) % 40 === 0;
  const domain = h(7) % 10 < 7 ? 'd0.example' : `d${h(8) % 50_000}.example`;
  return {
    requestId: `${firstIdAt(at)}${String(i).padStart(16, '0')}`,
    accountId: h(1) % 10 === 0 ? 'acc_other' : account,
    keyId: h(2) % 50 === 0 ? 'key_b' : key,
    mode: h(3) % 20 === 0 ? 'test' : 'live',
    shadow: false,
    at,
    verdict: verdict < 85 ? 'allow' : verdict < 95 ? 'challenge' : 'block',
    score: score === 1 ? 2 : score,
    reasons: isTor ? ['ip_anonymizer'] : [],
    weights: isTor ? [45] : [],
    emailDomain: i % RARE === 0 ? 'rare.example' : domain,
    addressHash: h(9).toString(16).padStart(16, '0'),
    mailboxHash: h(10).toString(16).padStart(16, '0'),
    emailMasked: 'j***@example.com',
    email: null,
    ip: address,
    network: address,
    countryCode: h(14) % 3_000 === 0 ? 'IS' : 'FR',
    asn: 64_500 + (h(15) % 2_000),
    sessionId: `session ${i}`,
    processedMs: h(16) % 90,
    facts: FACTS,
  };
}

/** A 32-bit hash, independent for each number and salt. */
function pseudorandom(i, salt) {
  let x = Math.imul(i + salt * 1_013, 2_654_435_761);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}
