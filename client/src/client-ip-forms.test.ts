/** The visitor's address in every form that platforms and proxies give it, and that nobody else can name one. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RequestLike, TrustedProxies } from './client-ip.ts';

const FORGED = '192.0.2.66';
const CLIENT = '203.0.113.7';
const PEER = '10.0.0.2';
const PSEUDO = '240.16.0.9';

/** A copy for each test: hints come once in a process. */
async function load() {
  vi.resetModules();
  return (await import('./client-ip.ts')).clientIp;
}
const ipOf = async (request: RequestLike, trustedProxies: TrustedProxies, peer = PEER) =>
  (await load())(request, { trustedProxies, peer });
const silence = () => vi.spyOn(console, 'warn').mockReturnValue();
afterEach(() => void vi.restoreAllMocks());

describe('headers', () => {
  const incoming = (name: string, value: string) => ({
    'a capitalised object (AWS Lambda)': { headers: { [name]: value } },
    'lists in an object': { headers: { [name]: [value] } },
    'multiValueHeaders of API Gateway': {
      headers: { [name]: FORGED },
      multiValueHeaders: { [name]: [value] },
    },
    'multiValueHeaders of a load balancer': { headers: null, multiValueHeaders: { [name]: [value] } },
    'Fetch headers': new Headers({ [name]: value }),
    'a Fetch request': new Request('https://app.example', { headers: { [name]: value } }),
    'a Map': { headers: new Map([[name, value]]) },
    'a Map alone': new Map([[name, value]]) as unknown as RequestLike,
    'a Map of lists': { headers: new Map([[name, [value]]]) },
    'rawHeaders as headers': { headers: ['Host', 'app.example', name, value] },
    'rawHeaders alone': { rawHeaders: ['Host', 'app.example', name, value] },
    pairs: { headers: [['Host', 'app.example'] as const, [name, value] as const] },
    'an object alone': { [name]: value } as unknown as RequestLike,
  });
  const spellings = ['x-forwarded-for', 'X-Forwarded-For', 'X-FORWARDED-FOR'];

  it.each(spellings.flatMap((name) => Object.entries(incoming(name, CLIENT)).map((form) => [name, ...form])))(
    'named %s are found in %s',
    async (_name, _form, request) => {
      expect(await ipOf(request as RequestLike, 1)).toBe(CLIENT);
      expect(await ipOf(request as RequestLike, ['private'])).toBe(CLIENT);
    },
  );

  it('of two spellings are one list in the order they came', async () => {
    const headers = { 'x-forwarded-for': FORGED, 'X-Forwarded-For': CLIENT };
    expect(await ipOf({ headers }, 1)).toBe(CLIENT);
    expect(await ipOf({ headers: new Map(Object.entries(headers)) }, 1)).toBe(CLIENT);
  });

  it('of an object are its own', async () => {
    silence();
    const headers = Object.create({ 'x-real-ip': FORGED });
    expect(await ipOf({ headers }, 'nginx')).toBeNull();
  });
});

describe('a header that a proxy overwrites', () => {
  it.each([
    ['quoted', `"${CLIENT}"`, CLIENT],
    ['with a port', `${CLIENT}:51234`, CLIENT],
    ['quoted, with a port', '"[2001:db8::7]:443"', '2001:db8::7'],
    ['twice the same', `${CLIENT}, ${CLIENT}`, CLIENT],
    ['twice the same in two forms', `::ffff:${CLIENT},"${CLIENT}:80"`, CLIENT],
    ['IPv4-mapped in hexadecimal', '::ffff:cb00:7107', CLIENT],
    ['with a zone', 'fe80::1%eth0', 'fe80::1'],
    ['NAT64', '64:ff9b::cb00:7107', CLIENT],
    ['NAT64 of a site', '64:ff9b:1:ab::203.0.113.7', CLIENT],
    ['two that differ', `${FORGED}, ${CLIENT}`, null],
    ['two that differ, the other way round', `${CLIENT}, ${FORGED}`, null],
    ['an address and a word', `${CLIENT}, unknown`, null],
    ['a quote that does not end', `"${CLIENT}`, null],
  ])('%s', async (_form, value, ip) => {
    silence();
    for (const trusted of ['nginx', { header: 'X-Real-IP' }] as const) {
      expect(await ipOf({ headers: { 'x-real-ip': value } }, trusted)).toBe(ip);
      expect(await ipOf({ headers: { 'X-Real-Ip': value.split(',') } }, trusted)).toBe(ip);
    }
  });
});

describe('Forwarded (RFC 7239)', () => {
  it.each([
    ['a token', `for=${CLIENT}`, CLIENT],
    ['other pairs beside it', `by=203.0.113.43;FOR=${CLIENT};proto=https;host="a,b;c"`, CLIENT],
    ['quoted, with a port', `for="${CLIENT}:4711"`, CLIENT],
    ['IPv6', 'For="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['IPv6 without a port', 'for="[2001:DB8::7]"', '2001:db8::7'],
    ['an obfuscated port', `for="${CLIENT}:_secret"`, CLIENT],
    ['escapes', 'for="203\\.0.113.7"', CLIENT],
    ['several elements', `for=${FORGED}, for=${CLIENT};proto=http`, CLIENT],
    ['a quote that the visitor did not close', `for="${FORGED}, for=${CLIENT}`, CLIENT],
    ['an escape that the visitor left open', `for="\\, for="${CLIENT}"`, CLIENT],
    ['an element in a quoted text', `for="x, for=${FORGED}", for=${CLIENT}`, CLIENT],
    ['obfuscated', `for=${FORGED}, for=_hidden`, null],
    ['unknown', `for=${FORGED}, for=unknown`, null],
    ['no for', `for=${FORGED}, proto=https`, null],
    ['two in one element', `for=${FORGED};for=${CLIENT}`, null],
    ['nonsense', 'for', null],
  ])('%s', async (_form, value, ip) => {
    silence();
    const lines = { headers: { Forwarded: value.split(', ') } };
    for (const request of [{ headers: { forwarded: value } }, lines])
      for (const trusted of [1, ['private'], { header: 'Forwarded' }, { header: 'forwarded', proxies: 1 }])
        expect(await ipOf(request, trusted as TrustedProxies)).toBe(ip);
  });

  it('goes past as many proxies as are trusted', async () => {
    const headers = { forwarded: `for=${FORGED}, for=${CLIENT}, for=10.9.9.9` };
    expect(await ipOf({ headers }, 2)).toBe(CLIENT);
    expect(await ipOf({ headers }, ['private'])).toBe(CLIENT);
    expect(await ipOf({ headers }, { header: 'forwarded', proxies: ['private'] })).toBe(CLIENT);
  });

  it('is not read beside X-Forwarded-For, unless it is the only one that is trusted', async () => {
    const both = { 'x-forwarded-for': CLIENT, forwarded: `for=${FORGED}` };
    expect(await ipOf({ headers: both }, 1)).toBe(CLIENT);
    const other = { 'x-forwarded-for': FORGED, forwarded: `for=${CLIENT}` };
    expect(await ipOf({ headers: other }, { header: 'Forwarded', proxies: ['private'] })).toBe(CLIENT);
    expect(await ipOf({ headers: both }, { header: 'X-Forwarded-For', proxies: 1 })).toBe(CLIENT);
  });

  it('of somebody who is no proxy of ours says nothing', async () => {
    const headers = {
      forwarded: `for=${FORGED}`,
      'x-forwarded-for': FORGED,
      'cf-connecting-ipv6': '2001:db8::6',
    };
    expect(await ipOf({ headers }, ['private'], CLIENT)).toBe(CLIENT);
    expect(await ipOf({ headers }, { header: 'forwarded', proxies: ['private'] }, CLIENT)).toBe(CLIENT);
  });
});

describe('empty elements of a list (RFC 9110, section 5.6.1)', () => {
  it.each([
    ['at the end', `${CLIENT},`, CLIENT],
    ['at the beginning', `, ${CLIENT}`, CLIENT],
    ['between others', `${FORGED}, ,,${CLIENT} , `, CLIENT],
    ['but not those that are quoted', `${FORGED}, ""`, null],
  ])('are passed over %s', async (_case, value, ip) => {
    silence();
    for (const trusted of [1, ['private'], { header: 'x-forwarded-for', proxies: 1 }])
      expect(await ipOf({ headers: { 'x-forwarded-for': value } }, trusted as TrustedProxies)).toBe(ip);
    const elements = value.replace(/[\d.]+/g, 'for=$&');
    for (const trusted of [1, ['private'], { header: 'forwarded' }])
      expect(await ipOf({ headers: { forwarded: elements } }, trusted as TrustedProxies)).toBe(ip);
  });

  it('are no proxies', async () => {
    const headers = { 'x-forwarded-for': `${FORGED},,${CLIENT},,10.9.9.9,` };
    expect(await ipOf({ headers }, 2)).toBe(CLIENT);
    expect(await ipOf({ headers: { forwarded: `for=${FORGED}, for=${CLIENT},, proto=http,` } }, 2)).toBe(
      CLIENT,
    );
  });

  it('make a header of nothing else as good as absent', async () => {
    for (const blank of ['', ' ', ',', ' , ,'])
      for (const trusted of [1, ['private'], 'aws-alb'] as const) {
        const headers = { 'x-forwarded-for': blank, forwarded: `for=${CLIENT}` };
        expect(await ipOf({ headers }, trusted)).toBe(CLIENT);
        silence();
        const nobody = { 'x-forwarded-for': blank, forwarded: blank };
        expect(await ipOf({ headers: nobody }, trusted)).toBe(await ipOf({ headers: {} }, trusted));
      }
  });

  it.each([`${CLIENT}:443,`, `,${CLIENT}:443`, `${CLIENT}:443, ${CLIENT}:443`])(
    "of CloudFront's header: %j",
    async (value) => {
      for (const [header, ip] of [
        [value, CLIENT],
        [value.replaceAll(CLIENT, '2001:db8::7'), '2001:db8::7'],
      ] as const)
        expect(await ipOf({ headers: { 'cloudfront-viewer-address': header } }, 'aws-cloudfront')).toBe(ip);
    },
  );
});

describe("Cloudflare's Pseudo IPv4", () => {
  const both = { 'Cf-Connecting-IP': PSEUDO, 'Cf-Connecting-IPv6': '2001:DB8::7', 'X-Forwarded-For': PSEUDO };

  it.each(['cloudflare', { header: 'CF-Connecting-IP' }, 1, ['private']] as const)(
    'is replaced by the IPv6 address with %j',
    async (trusted) => {
      expect(await ipOf({ headers: both }, trusted)).toBe('2001:db8::7');
    },
  );

  it('stays what it is without the IPv6 address, and a hint says so once', async () => {
    const warn = silence();
    const clientIp = await load();
    for (let i = 0; i < 3; i += 1)
      expect(clientIp({ headers: { 'cf-connecting-ip': PSEUDO } }, { trustedProxies: 'cloudflare' })).toBe(
        PSEUDO,
      );
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.lastCall?.[0]).toMatch(/Pseudo IPv4.*headers that came: cf-connecting-ip\)$/);
  });

  it.each(['nonsense', FORGED, '2001:db8::6, 2001:db8::8'])('is not replaced by %j', async (ipv6) => {
    silence();
    const headers = { 'cf-connecting-ip': PSEUDO, 'cf-connecting-ipv6': ipv6 };
    expect(await ipOf({ headers }, 'cloudflare')).toBe(PSEUDO);
  });

  it('is the only address that the other header replaces, and only where a proxy wrote it', async () => {
    const headers = { 'cf-connecting-ip': CLIENT, 'cf-connecting-ipv6': '2001:db8::6', 'x-real-ip': CLIENT };
    expect(await ipOf({ headers }, 'cloudflare')).toBe(CLIENT);
    expect(await ipOf({ headers }, 'nginx')).toBe(CLIENT);
    expect(await ipOf({ headers }, ['private'], PSEUDO)).toBe(PSEUDO);
  });
});

describe('a hint', () => {
  it.each([
    ['a header that did not come', 'cloudflare', { 'X-Real-IP': CLIENT, 'x-secret': 's3cret' }, 'x-real-ip'],
    ['fewer proxies than counted', 2, { 'x-forwarded-for': CLIENT }, 'x-forwarded-for'],
    ['nobody but a proxy', ['private'], { cookie: 'a=b' }, ''],
  ] as const)('about %s comes once, with names alone', async (_case, trustedProxies, headers, seen) => {
    const warn = silence();
    const clientIp = await load();
    for (let i = 0; i < 3; i += 1) clientIp({ headers }, { trustedProxies, peer: PEER });
    expect(warn).toHaveBeenCalledTimes(1);
    const text = String(warn.mock.lastCall?.[0]);
    expect(text).toContain(seen === '' ? 'none of the usual headers came' : `headers that came: ${seen})`);
    for (const value of [CLIENT, PEER, 's3cret', 'a=b']) expect(text).not.toContain(value);
  });

  it('does not come for a visitor who has an address, or where no proxy is trusted', async () => {
    const warn = silence();
    const clientIp = await load();
    clientIp({ headers: { 'x-forwarded-for': CLIENT } }, { trustedProxies: ['private'], peer: PEER });
    clientIp({ headers: {} }, { trustedProxies: ['private'], peer: CLIENT });
    clientIp({ headers: {} }, { peer: PEER });
    clientIp({ headers: {} });
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('proxies', () => {
  it('may be named in the mapped form', async () => {
    const headers = { 'x-forwarded-for': CLIENT };
    expect(await ipOf({ headers }, ['::ffff:10.0.0.0/104'])).toBe(CLIENT);
    expect(await ipOf({ headers }, ['::ffff:10.0.0.2'])).toBe(CLIENT);
    expect(await ipOf({ headers }, ['::ffff:11.0.0.0/104'])).toBe(PEER);
  });

  it.each([
    [{ header: 'X Real' }],
    [{ header: '' }],
    [{}],
    [{ header: 'x-real-ip', proxies: 1 }],
    [{ header: 'forwarded', proxies: ['lan'] }],
    [{ header: 'forwarded', proxies: -1 }],
    [['::ffff:10.0.0.0/8']],
    [null],
  ])('%j are refused', async (trusted) => {
    const { OptionsError } = await import('./errors.ts');
    const clientIp = (await import('./client-ip.ts')).clientIp;
    expect(() => clientIp({ headers: {} }, { trustedProxies: trusted as never })).toThrow(OptionsError);
  });
});
