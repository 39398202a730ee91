import { describe, expect, it } from 'vitest';
import { aLearnedCampaign, asOpened } from '../../test/support/a-campaign.ts';
import { aUsualDomain } from '../../test/support/a-usual-domain.ts';
import type { Campaign, LearnedCampaign } from '../model/campaign.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import { type CampaignEvent, createCampaignIndex } from './campaign-index.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 0, 0);
const BY_PERSON = { at: NOW, by: 'jo', reason: 'person' } as const;
const BY_SILENCE = { at: NOW, by: '', reason: 'silence' } as const;

/** A store of campaigns in memory, with their versions. */
function createSource(...stored: Campaign[]) {
  const rows = stored.map((campaign, at) => ({ campaign, version: at + 1 }));
  let version = rows.length;
  return {
    save(campaign: Campaign) {
      version += 1;
      rows.push({ campaign, version });
    },
    campaignsVersion: async () => version,
    async *campaignChangesSince(since: number) {
      for (const row of rows) if (row.version > since) yield row.campaign;
    },
    async *usualDomainsSince(since: number) {
      if (version > since) yield aUsualDomain('acc_a', 'uni.example', { people: version });
    },
  };
}

const open = (domain: string, fields: Partial<LearnedCampaign> = {}, accountId = 'acc_a') =>
  asOpened(aLearnedCampaign(accountId, domain, fields));
const ended = (campaign: Campaign, fields: Partial<Campaign> = {}): Campaign => ({
  ...campaign,
  state: 'ended',
  ended: BY_PERSON,
  ...fields,
});

async function indexOf(...stored: Campaign[]) {
  const source = createSource(...stored);
  const events: [CampaignEvent, string][] = [];
  const usual: UsualDomain[] = [];
  const index = createCampaignIndex({
    source,
    usual: { put: (row) => void usual.push(row) },
    onEvent: (event, { id }) => events.push([event, id]),
  });
  await index.refresh();
  return { source, index, events, usual };
}

describe('the index of campaigns', () => {
  it('asks for no keys of an account without open campaigns', async () => {
    const { index } = await indexOf(ended(open('a.example')), open('b.example', {}, 'acc_other'));
    const fail = () => {
      throw new Error('keys were made');
    };
    for (const account of ['acc_a', 'acc_nobody']) expect(index.find(account, fail)).toBeNull();
    expect(() => index.find('acc_other', fail)).toThrow('keys were made');
    expect(index.countOpen()).toBe(1);
  });

  it('reads usual domains with the campaigns of their version', async () => {
    const { index, source, usual } = await indexOf(open('a.example'));
    await index.refresh();
    expect(usual.map(({ people }) => people)).toEqual([1]);
    source.save(open('b.example'));
    await index.refresh();
    expect(usual.map(({ people }) => people)).toEqual([1, 2]);
  });

  it('gives what an attempt is stored with, itself as a member', async () => {
    const campaign = open('a.example');
    const { index } = await indexOf(campaign);
    expect(index.find('acc_a', keys('0000000000000000', campaign.key))).toEqual({
      id: campaign.id,
      scope: 'domain',
      scopeText: 'a.example',
      mark: 'generated',
      markText: '',
      members: 10,
      usual: 0.0125,
      decades: 9.4,
      families: ['names', 'domain'],
      sure: false,
      confirmed: false,
    });
    expect(index.find('acc_a', keys('0000000000000000'))).toBeNull();
  });

  it('prefers the surest of several, then the one with more kinds of evidence, then with more members', async () => {
    const sure = open('sure.example', { members: 20, decades: 12 });
    const wide = open('wide.example', { members: 9, families: ['names', 'domain', 'network'] });
    const large = open('large.example', { members: 12, decades: 5 });
    const small = open('small.example', { members: 11, decades: 30 });
    const { index } = await indexOf(sure, wide, large, small);
    const found = (...campaigns: Campaign[]) =>
      index.find('acc_a', keys(...campaigns.map(({ key }) => key)))?.scopeText;
    expect(found(wide, large, sure)).toBe('sure.example');
    expect(found(large, wide, small)).toBe('wide.example');
    expect(found(small, large)).toBe('large.example');
  });

  it.each<[string, Partial<Campaign>, boolean]>([
    ['two families, twenty members and odds beyond doubt', {}, true],
    ['nineteen members', { members: 19 }, false],
    ['smaller odds', { decades: 11.9 }, false],
    ['one family', { families: ['names'] }, false],
    ['a good customer', { goodReports: 1 }, false],
    ['a person who confirmed it', { decision: 'confirmed', members: 3, goodReports: 3 }, true],
  ])('is sure or not with %s', async (_, fields, sure) => {
    const campaign = { ...open('a.example', { members: 20, decades: 12 }), ...fields };
    const { index } = await indexOf(campaign);
    expect(index.find('acc_a', keys(campaign.key))?.sure).toBe(sure);
  });

  it('follows the store: new ones, ends, other decisions', async () => {
    const campaign = open('a.example');
    const { source, index, events } = await indexOf(campaign);
    expect(events).toEqual([]);
    const find = () => index.find('acc_a', keys(campaign.key));
    source.save({ ...campaign, decision: 'confirmed', decidedAt: NOW });
    await index.refresh();
    expect(find()).toMatchObject({ sure: true, confirmed: true });
    source.save(ended(campaign));
    await index.refresh();
    expect(find()).toBeNull();
    const next = open('a.example', { since: NOW });
    source.save(next);
    await index.refresh();
    expect(find()).toMatchObject({ id: next.id });
    // Read again, for whatever reason: nothing happened.
    index.put(next);
    expect(events).toEqual([
      ['sure', campaign.id],
      ['ended', campaign.id],
      ['opened', next.id],
    ]);
  });

  it('names what is in the way of a new one: an open one, a person, good customers; never silence', async () => {
    const { index } = await indexOf(
      open('open.example'),
      ended(open('dismissed.example'), { decision: 'dismissed' }),
      ended(open('good.example'), { ended: { at: NOW, by: '', reason: 'good_reports' } }),
      ended(open('silent.example'), { ended: BY_SILENCE }),
      ended(open('later.example', { since: NOW }), { ended: BY_SILENCE, decision: 'dismissed' }),
      ended(open('later.example', { since: NOW + 1 })),
    );
    expect(index.standing().map(({ scopeText, state, decision }) => [scopeText, state, decision])).toEqual([
      ['open.example', 'open', ''],
      ['dismissed.example', 'ended', 'dismissed'],
      ['good.example', 'ended', ''],
      ['later.example', 'ended', 'dismissed'],
    ]);
  });

  it('counts nobody of a domain that a person called their own among the members of another wave', async () => {
    const [domain, wide] = [
      open('ours.example'),
      open('', { scope: 'fresh_domains', key: '00000000000000aa' }),
    ];
    const { index } = await indexOf(ended(domain, { decision: 'dismissed' }), wide);
    expect(index.find('acc_a', keys(wide.key))?.id).toBe(wide.id);
    expect(index.find('acc_a', keys(wide.key, domain.key))).toBeNull();
    index.put(domain);
    expect(index.find('acc_a', keys(wide.key, domain.key))).not.toBeNull();
  });

  it("asks for the keys of the kinds that are open, and of domains that are the account's own", async () => {
    const asked: string[][] = [];
    const [farm, range] = [open('farm.example'), open('', { scope: 'range', key: '00000000000000bb' })];
    const { index } = await indexOf(farm, range);
    const ask = () =>
      index.find('acc_a', (kinds) => {
        asked.push([...kinds].sort());
        return [];
      });
    ask();
    index.put(ended(farm, {}));
    ask();
    index.put(ended(farm, { decision: 'dismissed' }));
    ask();
    expect(asked).toEqual([['domain', 'range'], ['range'], ['domain', 'range']]);
  });

  it('forgets an account that was deleted, and nothing else', async () => {
    const [own, other] = [open('a.example'), open('a.example', {}, 'acc_other')];
    const { index } = await indexOf(own, other);
    index.removeAccount('acc_a');
    expect(index.find('acc_a', keys(own.key))).toBeNull();
    expect(index.find('acc_other', keys(other.key))).not.toBeNull();
    expect(index.standing().map(({ accountId }) => accountId)).toEqual(['acc_other']);
  });
});

/** Keys as an attempt makes them. */
function keys(...texts: readonly string[]) {
  return () =>
    texts.map((text) => ({
      high: Number.parseInt(text.slice(0, 8), 16) | 0,
      low: Number.parseInt(text.slice(8), 16) | 0,
    }));
}
