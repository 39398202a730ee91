// Measures what waves add to the path of a signup in the service: the look-up of its keys, for an account with one open campaign.
import { createAddressHashes } from '../../dist/address/fingerprint.js';
import { nameFactsOf } from '../../dist/address/name-facts-of.js';
import { EMPTY_EMAIL } from '../../dist/model/evidence.js';
import { createCampaignIndex } from '../../dist/waves/campaign-index.js';
import { hexOf, joinKeys } from '../../dist/waves/group-key.js';
import { ANY } from '../../dist/waves/learning.js';
import { memberKeys } from '../../dist/waves/member-keys.js';
import { domainScope } from '../../dist/waves/scopes.js';

const ACCOUNT = 'acc_measured';
const DOMAIN = 'postfarm.example';
const SIGNUPS = 5_000;
const ROUNDS = 20;
const PROVIDERS = new Set(['gmail.com', 'outlook.com', 'hotmail.com', 'yahoo.com', 'icloud.com', 'qq.com']);

/** Microseconds a signup, the median of rounds. @param rows of a month */
export function lookUpCost(rows) {
  const index = createCampaignIndex({ source: {}, usual: {} });
  index.put(openCampaign());
  const attempts = toAttempts(rows.slice(0, SIGNUPS));
  const rounds = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    let members = 0;
    for (const [subject, email] of attempts)
      if (index.find(ACCOUNT, (kinds) => memberKeys(subject, email, null, kinds)) !== null) members += 1;
    const took = performance.now() - started;
    if (members > 0) throw new Error('a signup belongs to a campaign that has no members');
    return (1_000 * took) / attempts.length;
  });
  return rounds.sort((a, b) => a - b)[ROUNDS / 2];
}

function toAttempts(rows) {
  const { hashStem } = createAddressHashes([Buffer.alloc(32, 1)]);
  return rows.map(({ email: address, ip, at }, number) => {
    const [local, domain] = address.split('@');
    const mailbox = `mailbox ${number}`;
    const subject = { account: ACCOUNT, at, domain, mailbox, addressHash: mailbox, network: ip };
    const consumer = PROVIDERS.has(domain);
    return [subject, { ...EMPTY_EMAIL, domain, consumer, name: nameFactsOf(local, hashStem) }];
  });
}

function openCampaign() {
  return {
    id: 'cmp_measured',
    accountId: ACCOUNT,
    key: hexOf(joinKeys(domainScope(DOMAIN).key, ANY)),
    scope: 'domain',
    families: [],
    state: 'open',
    ended: null,
    decision: '',
  };
}
