import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_BASELINE } from '../../test/support/built-baseline.ts';
import { isCrowdedDomain } from '../evidence/list-trial.ts';
import { readListValue } from '../evidence/list-value.ts';
import { expandGroups, readLines } from '../platform/text-lines.ts';
import { inputsKey } from './baseline.ts';
import type { Intel } from './intel.ts';
import { openSnapshot } from './snapshot.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-intel-'));
const file = join(folder, 'baseline.snapshot');
let intel: Intel;

beforeAll(async () => {
  copyFileSync(BUILT_BASELINE, file);
  intel = await openSnapshot(file);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OWN_LISTS = [
  'consumer',
  'consumer-access',
  'consumer-exclusions',
  'consumer-families',
  'disposable-exclusions',
  'disposable-services',
  'hosting-asns',
  'institutional-suffixes',
  'known-domains',
  'no-reply',
  'relays',
  'role-exclusions',
  'shared-suffixes',
  'sms-gateways',
  'special-ranges',
];
const names = (text: string): string[] => text.trim().split(/\s+/);
const ownList = (list: string): string[] =>
  [...readLines(readFileSync(new URL(`./data/${list}.txt`, import.meta.url), 'utf8'))].flatMap(expandGroups);

describe('domains', () => {
  it.each(names('mailinator.com guerrillamail.com 10minutemail.com yopmail.com sharklasers.com maildrop.cc'))(
    '%s is disposable, and so is a name below it',
    (name) => {
      for (const known of [intel.domain(name), intel.domain(`a.b.${name}`)]) {
        expect(known).toMatchObject({ disposable: true, listed: { relay: false, consumer: false } });
        expect(known.hits.every(({ fact, entry }) => fact === 'disposable' && entry === name)).toBe(true);
      }
    },
  );

  it.each(
    names(`privaterelay.appleid.com simplelogin.com simplelogin.co simplelogin.fr simplelogin.io slmail.me
      slmails.com aleeas.com 8alias.com 8shield.net silomails.com dralias.com passmail.net passmail.com
      passinbox.com passfwd.com duck.com mozmail.com x.mozmail.com relay.firefox.com anonaddy.com anonaddy.me
      x.anonaddy.me addy.io addymail.com erine.email 33mail.com x.33mail.com relay.hidemail.app forwardemail.net
      improvmx.com opayq.com`),
  )('%s is a relay and nothing else', (name) => {
    expect(intel.domain(name)).toMatchObject({
      disposable: false,
      listed: { relay: true, consumer: false, spam: false },
    });
  });

  it.each(
    names(`gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk live.com msn.com icloud.com me.com yahoo.com
      yahoo.co.uk yahoo.co.jp yahoo.fr ymail.com aol.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de
      freenet.de mail.ru bk.ru yandex.ru rambler.ru qq.com foxmail.com 163.com 126.com sina.com sohu.com 139.com
      proton.me protonmail.com pm.me tuta.com tuta.io tutanota.com posteo.de mailbox.org mailfence.com disroot.org
      riseup.net startmail.com zoho.com zohomail.com fastmail.com hey.com mail.com dr.com naver.com daum.net
      rediffmail.com libero.it orange.fr laposte.net free.fr wp.pl o2.pl onet.pl seznam.cz abv.bg ukr.net
      uol.com.br btinternet.com comcast.net bigpond.com walla.co.il`),
  )('%s is a provider, never disposable', (name) => {
    expect(intel.domain(name)).toMatchObject({ disposable: false, listed: { consumer: true, relay: false } });
  });

  it.each(
    names(`gmx.ca gmx.com.br gmx.se gmx.tw posteo.eu posteo.at posteo.ch posteo.co.uk aol.com.br aol.es aol.in live.co.jp
      yandex.com.tr yandex.fr sapo.ao inbox.eu fastmail.to ftml.net emailplus.org zohomail.jp zohomailcloud.ca orange.es
      wanadoo.nl currently.com terra.com.mx yahoo.com.pe protonmail.ch tuta.io foxmail.com nate.com bellsouth.net`),
  )('%s is a provider in its country', (name) => {
    expect(intel.domain(name)).toMatchObject({ disposable: false, listed: { consumer: true } });
  });

  it('calls no provider of its own lists disposable, and lists none that is', () => {
    for (const name of [...ownList('consumer'), ...ownList('consumer-families')])
      expect(intel.domain(name), name).toMatchObject({ disposable: false, disputed: false });
    const isDisposable = (name: string) =>
      intel
        .domainClaims(name)
        .some(({ claims }) =>
          intel.sources.some(
            ({ category }, place) => category === 'disposable' && (claims >> BigInt(place)) & 1n,
          ),
        );
    // A domain that Gatehouse does not vouch for must be on no list of disposable domains at all.
    expect(ownList('consumer-access').filter(isDisposable)).toEqual([]);
  });

  it('counts no company, university or server of a hosting company as a provider', () => {
    for (const name of names(
      'google.com mit.edu nyu.edu strato.de your-server.de office365.com oath.com it.dk',
    ))
      expect(intel.domain(name).listed.consumer, name).toBe(false);
  });

  it('knows the no-reply domains of code hosts, not the code hosts and no made-up ones', () => {
    for (const name of names(`users.noreply.github.com users.noreply.gitlab.com noreply.codeberg.org
      user.noreply.gitee.com`))
      expect(intel.domain(name).listed, name).toMatchObject({ no_reply: true, consumer: false });
    for (const name of names(
      'github.com noreply.github.com gitlab.com codeberg.org users.noreply.git.acme.org',
    ))
      expect(intel.domain(name).listed.no_reply, name).toBe(false);
  });

  it('knows gateways to text messages, and counts them as nothing else', () => {
    const gateways = ownList('sms-gateways');
    expect(gateways.length).toBeGreaterThan(100);
    const others = { consumer: false, relay: false, spam: false, known: false, no_reply: false };
    for (const name of gateways)
      expect(intel.domain(name), name).toMatchObject({
        disposable: false,
        disputed: false,
        sharedSuffix: '',
        listed: { sms_gateway: true, ...others },
      });
  });

  it('counts no mailboxes as a gateway, also not those of the carriers and those above or beside a gateway', () => {
    for (const name of names(`gmail.com outlook.com att.net bellsouth.net sbcglobal.net ameritech.net verizon.net
      rogers.com fido.ca telus.net bell.net bell.ca sasktel.net mts.net eastlink.ca gci.net centurytel.net
      centurylink.net sprint.com tmobile.com t-mobile.com google.com voice.google.com bluewin.ch freesurf.ch
      sunrise.ch sfr.fr orange.fr orange.net orange.pl bouyguestelecom.fr bbox.fr o2.co.uk o2online.de o2.pl
      vodafone.net vodafone.de vodafone.it vodafone.es t-online.de telia.com telenor.no netcom.no tele2.se mobistar.be
      movistar.net correo.movistar.net movistar.es movistar.com.co uol.com.br claro.com.br telstra.com optusnet.com.au bigpond.com
      xtra.co.nz vodafone.co.nz docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp t.vodafone.ne.jp 139.com
      airtelmail.com hkcsl.com mtel.net mtnl.in vodacom.co.za safaricom.co.ke wyndtell.com cox.net comcast.net`))
      expect(intel.domain(name).listed.sms_gateway, name).toBe(false);
  });

  it('knows below which suffixes only institutions get names', () => {
    for (const name of names(
      'mit.edu cs.ox.ac.uk u-tokyo.ac.jp sydney.edu.au lincoln.k12.ca.us acme.sch.uk irs.gov',
    ))
      expect(intel.isInstitution(name), name).toBe(true);
    for (const name of names('edu.com acme.edu.pl ac.uk edu gov.example.com notk12.ca.us'))
      expect(intel.isInstitution(name), name).toBe(false);
  });

  it('does not accept placeholders, companies or universities as providers', () => {
    for (const name of ownList('consumer-exclusions'))
      expect(intel.domain(name).listed.consumer, name).toBe(false);
    expect(intel.domain('example.com').hits).toEqual([]);
  });

  it('does not accept lists that call ordinary mail disposable', () => {
    for (const name of ownList('disposable-exclusions'))
      expect(intel.domain(name).disposable, name).toBe(false);
  });

  it.each<[string, string, string]>([
    ['a business', 'blogos.com', 'known-domains'],
    ['a name below a business', 'mail.yandex.net', 'known-domains'],
    ['a word that people type', 'test.com', 'known-domains'],
    ['a mistyped provider', 'gmial.com', 'typing-targets'],
    ['an institution', 'universityla.edu', 'institutional-suffixes'],
    ['a suffix for strangers', 'hopto.org', ''],
    ['a suffix of our own list', 'chickenkiller.com', 'shared-suffixes'],
  ])('disputes the listing of %s', (_, name, source) => {
    const known = intel.domain(name);
    expect(known).toMatchObject({ disposable: false, disputed: true });
    const sources = known.hits.map((hit) => hit.source);
    expect(sources).toEqual(expect.arrayContaining(['mailchecker', ...(source === '' ? [] : [source])]));
  });

  it('disputes no listing of a throw-away service', () => {
    for (const name of ownList('disposable-services')) {
      expect(intel.domain(name), name).toMatchObject({ disposable: true, disputed: false, settled: true });
    }
  });

  it('contains no known domain that is not on a list', () => {
    for (const name of ownList('known-domains')) expect(intel.domain(name).disputed, name).toBe(true);
  });

  it('does not affect tenants of a shared suffix', () => {
    for (const suffix of names('pp.ua ddns.net hopto.org msk.ru mooo.com us.to rf.gd esy.es')) {
      expect(intel.domain(`somebody-honest.${suffix}`)).toMatchObject({
        disposable: false,
        sharedSuffix: suffix,
      });
    }
    expect(intel.domain('somebody.github.io')).toMatchObject({ hits: [], sharedSuffix: 'github.io' });
    expect(intel.domain('mail.somebody.us.to').sharedSuffix).toBe('us.to');
    expect(intel.domain('acme.co.uk').sharedSuffix).toBe('');
  });

  it('has every entry of its own lists active, and none twice', () => {
    for (const list of ['consumer', 'consumer-access', 'consumer-families'])
      for (const name of ownList(list)) expect(intel.domain(name).listed.consumer, name).toBe(true);
    for (const list of OWN_LISTS) {
      expect(new Set(ownList(list)).size, list).toBe(ownList(list).length);
    }
  });
});

describe('words', () => {
  it.each(names('admin support info sales abuse postmaster noreply billing hr webmaster contact'))(
    '%s is a role',
    (word) => {
      expect(intel.isRole(word)).toBe(true);
      expect(intel.isRole(`${word}+tag`)).toBe(true);
    },
  );

  it.each([...names('dev ca it pd ta 123 anna john.smith adminson'), ''])('%j is not', (word) => {
    expect(intel.isRole(word)).toBe(false);
  });

  it('knows the top-level domains of IANA', () => {
    for (const label of names('com org de uk app xn--p1ai xn--fiqs8s'))
      expect(intel.isTopLevel(label), label).toBe(true);
    for (const label of ['test', 'example', 'invalid', 'local', 'co.uk', 'COM', '']) {
      expect(intel.isTopLevel(label), label).toBe(false);
    }
  });
});

describe('the snapshot', () => {
  it('gives the origin and the number of entries of each source', () => {
    expect(intel.sources.map(({ id }) => id)).toEqual([...new Set(intel.sources.map(({ id }) => id))]);
    for (const { id, version, licence, entries } of intel.sources) {
      expect(version, id).toMatch(/^\d+\.\d+\.\d+/);
      expect(licence, id).not.toBe('');
      expect(entries, id).toBeGreaterThan(id === 'egress' || id === 'no-reply' ? 0 : 15);
    }
  });

  it('has a key that depends on its inputs', () => {
    expect(inputsKey()).toBe(inputsKey());
    expect(inputsKey({ countryFiles: [file] })).not.toBe(inputsKey());
  });

  it('is refused if the file was cut off', async () => {
    const cut = join(folder, 'cut.snapshot');
    copyFileSync(file, cut);
    truncateSync(cut, 1_000_000);
    await expect(openSnapshot(cut)).rejects.toThrow('1000000 bytes long');
  });
});

it.each([
  ['co.uk', true],
  ['.shop', true],
  ['github.io', true],
  ['jo.github.io', false],
  ['duckdns.org', true],
  ['gmail.com', true],
  ['users.noreply.github.com', true],
  ['jo@gmail.com', false],
  ['example.co.uk', false],
  ['mailinator.com', false],
  ['203.0.113.7', false],
])('whether an entry for %s concerns strangers: %s', (text, crowded) => {
  expect(isCrowdedDomain(readListValue(text), intel)).toBe(crowded);
});
