import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type ClientIpOptions, clientIp } from './client-ip.ts';
import { OptionsError } from './errors.ts';

const FORGED = '192.0.2.66';
const CLIENT = '203.0.113.7';

/** The same request as Node.js, Fetch and bare headers give it. */
function forms(headers: Record<string, string>, peer: string | undefined) {
  const incoming = new IncomingMessage(new Socket());
  Object.defineProperty(incoming.socket, 'remoteAddress', { value: peer });
  Object.assign(incoming.headers, headers);
  const request = new Request('https://app.example/signup', { headers });
  return { node: [incoming, {}], fetch: [request, { peer }], bare: [request.headers, { peer }] } as const;
}

function ips(
  headers: Record<string, string>,
  peer: string | undefined,
  trustedProxies?: ClientIpOptions['trustedProxies'],
) {
  return Object.values(forms(headers, peer)).map(([request, options]) =>
    clientIp(request, { ...options, trustedProxies }),
  );
}
const thrice = (ip: string | null) => [ip, ip, ip];

describe('the client of a request', () => {
  it('is the peer, and headers are ignored, as long as no proxy is trusted', () => {
    const headers = {
      'x-forwarded-for': FORGED,
      'x-real-ip': FORGED,
      'cf-connecting-ip': FORGED,
      forwarded: `for=${FORGED}`,
    };
    expect(ips(headers, CLIENT)).toEqual(thrice(CLIENT));
    expect(ips(headers, `::ffff:${CLIENT}`)).toEqual(thrice(CLIENT));
    expect(ips(headers, undefined)).toEqual(thrice(null));
  });

  it.each([
    ['one proxy', CLIENT, '10.0.0.2', ['10.0.0.0/8'], CLIENT],
    ['an entry that the client forged', `${FORGED}, ${CLIENT}`, '10.0.0.2', ['10.0.0.0/8'], CLIENT],
    ['two proxies', `${FORGED}, ${CLIENT}, 10.9.9.9`, '10.0.0.2', ['10.0.0.0/8'], CLIENT],
    ['a forged proxy', `10.1.1.1, ${CLIENT}`, '10.0.0.2', ['10.0.0.0/8'], CLIENT],
    ['a client that comes directly', FORGED, CLIENT, ['10.0.0.0/8'], CLIENT],
    ['an entry that is no address', `${CLIENT}, unknown`, '10.0.0.2', ['10.0.0.0/8'], null],
    ['only proxies', '10.1.1.1, 10.2.2.2', '10.0.0.2', ['10.0.0.0/8'], '10.1.1.1'],
    ['IPv6', '2001:DB8::7', '::1', ['loopback'], '2001:db8::7'],
    ['a private network', `${FORGED},${CLIENT} , 172.17.0.1`, '::ffff:127.0.0.1', ['private'], CLIENT],
    ['an empty header, as without one', '', '10.0.0.2', ['10.0.0.2'], '10.0.0.2'],
    ['a peer that nobody knows', CLIENT, undefined, ['10.0.0.0/8'], null],
  ])('past trusted addresses, with %s', (_case, forwarded, peer, trusted, ip) => {
    expect(ips({ 'x-forwarded-for': forwarded }, peer, trusted)).toEqual(thrice(ip));
  });

  it.each([
    [0, `${FORGED}`, CLIENT],
    [1, `${FORGED}, ${CLIENT}`, CLIENT],
    [2, `${FORGED}, ${CLIENT}, 198.51.100.9`, CLIENT],
    [2, FORGED, null],
    [1, 'unknown', null],
  ])('past %i proxies in %j', (hops, forwarded, ip) => {
    expect(ips({ 'x-forwarded-for': forwarded }, CLIENT, hops)).toEqual(thrice(ip));
  });

  it.each([
    ['cloudflare', 'cf-connecting-ip', CLIENT],
    ['vercel', 'x-vercel-forwarded-for', CLIENT],
    ['fly', 'fly-client-ip', CLIENT],
    ['aws-alb', 'x-forwarded-for', `${FORGED}, ${CLIENT}`],
    ['aws-cloudfront', 'cloudfront-viewer-address', `${CLIENT}:46532`],
    ['nginx', 'x-real-ip', CLIENT],
    [{ header: 'True-Client-IP' }, 'true-client-ip', CLIENT],
  ] as const)('behind %j is in its header alone', (preset, header, value) => {
    const forged = { 'x-forwarded-for': FORGED, forwarded: `for=${FORGED}` };
    expect(ips({ ...forged, [header]: value }, '10.0.0.2', preset)).toEqual(thrice(CLIENT));
    expect(ips({ 'x-another': CLIENT }, '10.0.0.2', preset)).toEqual(thrice(null));
    expect(ips({ [header]: 'nonsense' }, '10.0.0.2', preset)).toEqual(thrice(null));
  });

  it('behind CloudFront is read of IPv6, which has a port but no brackets', () => {
    const headers = { 'cloudfront-viewer-address': '2001:db8:0:0:0:0:0:7:46532' };
    expect(ips(headers, '10.0.0.2', 'aws-cloudfront')).toEqual(thrice('2001:db8::7'));
  });

  it('reads headers that occur several times as one list', () => {
    const request = {
      headers: { 'x-forwarded-for': [FORGED, CLIENT] },
      socket: { remoteAddress: '127.0.0.1' },
    };
    expect(clientIp(request, { trustedProxies: ['loopback'] })).toBe(CLIENT);
    expect(clientIp({ headers: { 'x-real-ip': [FORGED, CLIENT] } }, { trustedProxies: 'nginx' })).toBeNull();
  });

  it.each([['nonsense'], [-1], [1.5], [['10.0.0.0/8', 'lan']]])(
    'is refused with %j as trustedProxies',
    (trusted) => {
      expect(() => clientIp({ headers: {} }, { trustedProxies: trusted as never })).toThrow(OptionsError);
    },
  );
});
