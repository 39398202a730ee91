// Changes that the demo's people make during the month: thresholds, weights, list entries, keys.
import { describeNewThresholds, describeThresholds } from '../dist/accounts/audit-log.js';
import { decideCampaign } from '../dist/accounts/campaign-admin.js';
import { dayBefore } from './rhythm.mjs';
import { INVITED, MEMBER, OPERATOR, OWNER } from './staff.mjs';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Name of a key as the service writes it to the audit log. */
const called = ({ mode, name }) => `${mode === 'test' ? 'sandbox' : mode} key ${name}`;

/** In order of time: `{ at, run }`. `run` changes the store; its changes to `current` apply to later attempts. */
export function makeDecisions({
  pipeline,
  makeId,
  accounts,
  keys,
  current,
  crowd,
  companies,
  names,
  from,
  to,
}) {
  const { store, ownLists, waves } = pipeline;
  const main = accounts.main;
  const note = (at, action, target, detail = '') =>
    store.audit({ at, by: OWNER.email, accountId: main.id, action, target, detail });

  const setThresholds = (at, thresholds) => ({
    at,
    async run() {
      const words = describeNewThresholds('account', current.main?.thresholds ?? null, thresholds);
      current.main = { ...current.main, thresholds };
      await store.changeAccount(main.id, { thresholds });
      await note(at, 'thresholds.set', 'account', words);
    },
  });
  const setPolicy = (at, weights, words) => ({
    at,
    async run() {
      const policy = { accountId: main.id, weights, createdAt: at, author: OWNER.email, note: words };
      const saved = await store.savePolicy(policy);
      current.main = { ...current.main, policy: saved };
      const changes = Object.entries(weights).map(([detector, weight]) => `${detector} ${weight}`);
      await note(at, 'policy.save', saved.version, changes.join(', '));
    },
  });
  const list = (at, action, kind, value, reason, days = null) => ({
    at,
    async run() {
      const expiresAt = days === null ? null : at + days * DAY_MS;
      const entry = { id: makeId('lst', at), accountId: main.id, action, kind, value, shown: value, reason };
      await store.saveListEntry({
        ...entry,
        author: OWNER.email,
        createdAt: at,
        expiresAt,
        hits: 0,
        lastHitAt: null,
      });
      await ownLists.refresh();
      await note(at, `list.${action}`, value, reason);
    },
  });
  const decide = (at, action, scopeText, words) => ({
    at,
    async run() {
      const { campaigns } = await store.campaigns(main.id, { state: 'open', limit: 100 });
      const [found] = campaigns
        .filter((campaign) => campaign.scopeText === scopeText)
        .sort((a, b) => b.members - a.members);
      // A small month may be too small for a wave.
      if (found === undefined) return;
      const decision = { action, by: OWNER.email, note: words, at };
      const entry = (action, target, detail) => ({
        at,
        by: OWNER.email,
        accountId: main.id,
        action,
        target,
        detail,
      });
      const { campaign } = await decideCampaign(store, main.id, found.id, decision, entry);
      waves.decided(campaign);
    },
  });
  const noted = (at, ...words) => ({ at, run: () => note(at, ...words) });
  const invited = (at, target, detail) => ({
    at,
    run: () =>
      store.audit({ at, by: OPERATOR.email, accountId: main.id, action: 'person_invited', target, detail }),
  });

  return [
    invited(from + DAY_MS, OWNER.email, 'owner'),
    invited(from + DAY_MS, MEMBER.email, 'member'),
    invited(to - 2 * DAY_MS, INVITED.email, 'member'),
    ...Object.values(keys)
      .filter(({ accountId }) => accountId === main.id)
      .map(({ createdAt, prefix, ...key }) =>
        noted(
          createdAt + 2 * DAY_MS,
          'key.create',
          called(key),
          `${prefix}…, ${describeThresholds('key', key.thresholds)}`,
        ),
      ),
    setThresholds(from + 4 * DAY_MS, { challenge: 28, block: 60 }),
    list(from + 5 * DAY_MS, 'allow', 'domain', companies[2], 'Partner with a signed contract'),
    list(from + 6 * DAY_MS, 'deny', 'country', 'KP', 'Sanctions'),
    setPolicy(from + 8 * DAY_MS, { vpn: 22 }, 'VPNs are common among our customers'),
    noted(keys.legacy.revokedAt, 'key.revoke', called(keys.legacy), `${keys.legacy.prefix}…`),
    list(
      crowd.starts.office + 3 * HOUR_MS,
      'allow',
      'domain',
      companies[5],
      'Whole team signs up from one office',
    ),
    list(
      crowd.starts.wave + 3.4 * HOUR_MS,
      'deny',
      'cidr',
      crowd.addresses.campaignBlock,
      'Burst of throw-away addresses',
      30,
    ),
    setPolicy(
      dayBefore(to, 9) + 8 * HOUR_MS,
      { vpn: 22, disposable_mx: 59 },
      'Found by their mail hosts after the burst',
    ),
    decide(
      crowd.starts.summerSchool + 2.5 * HOUR_MS,
      'dismiss',
      names.summerSchool,
      'Our summer school: the school made these addresses',
    ),
    decide(crowd.starts.mask + 30 * HOUR_MS, 'confirm', 'hotmail.com', 'Same pattern as in spring'),
    list(dayBefore(to, 7) + 10 * HOUR_MS, 'deny', 'domain', 'yopmail.com', 'Three chargebacks'),
    list(dayBefore(to, 4) + 15 * HOUR_MS, 'deny', 'asn', 'AS9009', 'Only bots so far', 14),
    setThresholds(dayBefore(to, 4) + 16 * HOUR_MS, { challenge: 30, block: 58 }),
  ]
    .filter(({ at }) => at < to)
    .sort((a, b) => a.at - b.at);
}
