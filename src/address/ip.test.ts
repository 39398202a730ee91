import { describe, expect, it } from 'vitest';
import type { IpAddress } from '../model/signup-attempt.ts';
import { isDocumentation, networkOf, parseIp, readIp } from './ip.ts';

describe('readIp', () => {
  it.each([
    [undefined, 'missing'],
    [null, 'missing'],
    ['', 'missing'],
    ['  ', 'missing'],
    ['localhost', 'ignored_localhost'],
    [' LocalHost. ', 'ignored_localhost'],
    ['127.0.0.1', 'ignored_loopback'],
    ['127.255.255.254', 'ignored_loopback'],
    ['::1', 'ignored_loopback'],
    ['0.0.0.0', 'ignored_loopback'],
    ['::', 'ignored_loopback'],
    ['::ffff:127.0.0.1', 'ignored_loopback'],
    ['0.0.0.1', 'ignored_private'],
    ['10.0.0.1', 'ignored_private'],
    ['172.16.0.1', 'ignored_private'],
    ['172.31.255.255', 'ignored_private'],
    ['192.168.1.1', 'ignored_private'],
    ['169.254.1.1', 'ignored_private'],
    ['100.64.0.1', 'ignored_private'],
    ['100.127.255.255', 'ignored_private'],
    ['224.0.0.1', 'ignored_private'],
    ['255.255.255.255', 'ignored_private'],
    ['240.0.0.1', 'ignored_private'],
    ['198.18.0.1', 'ignored_private'],
    ['fe80::1', 'ignored_private'],
    ['fd00::1', 'ignored_private'],
    ['ff02::1', 'ignored_private'],
    ['::ffff:10.0.0.1', 'ignored_private'],
    ['::ffff:c0a8:101', 'ignored_private'],
    ['64:ff9b::a00:1', 'ignored_private'],
    ['64:ff9b::127.0.0.1', 'ignored_loopback'],
    ['64:ff9b:1:fffe::192.168.1.1', 'ignored_private'],
    ['64:ff9b:2::8.8.8.8', 'ignored_private'],
    ['64:ff9b:0:1::8.8.8.8', 'ignored_private'],
    ['100::1', 'ignored_private'],
    ['3fff::1', 'ignored_private'],
    ['3fff:fff:ffff::1', 'ignored_private'],
  ])('%s is %s', (text, status) => {
    expect(readIp(text)).toEqual({ status });
  });

  it.each([
    ['8.8.8.8', '8.8.8.8'],
    [' 8.8.8.8 ', '8.8.8.8'],
    ['192.0.2.1', '192.0.2.1'],
    ['198.51.100.7', '198.51.100.7'],
    ['203.0.113.7', '203.0.113.7'],
    ['100.63.255.255', '100.63.255.255'],
    ['100.128.0.0', '100.128.0.0'],
    ['172.15.255.255', '172.15.255.255'],
    ['172.32.0.0', '172.32.0.0'],
    ['::ffff:8.8.8.8', '8.8.8.8'],
    ['::FFFF:0808:0808', '8.8.8.8'],
    ['64:ff9b::8.8.8.8', '8.8.8.8'],
    ['64:FF9B::808:808', '8.8.8.8'],
    ['64:ff9b:1::8.8.8.8', '8.8.8.8'],
    ['64:ff9b:1:ffff:ffff:ffff:808:808', '8.8.8.8'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2606:4700::', '2606:4700::'],
    ['2a00:1450:4001:0:0:0:1.2.3.4', '2a00:1450:4001::102:304'],
  ])('%s is public, as %s', (text, canonical) => {
    expect(readIp(text)).toMatchObject({ status: 'ok', address: { text: canonical } });
  });

  it.each([
    'nonsense',
    '1.2.3',
    '1.2.3.4.5',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '256.1.1.1',
    '1.2.3.4/24',
    '1.2.3.4:80',
    'fe80::1%eth0',
    '[::1]',
    ':::',
    '1::2::3',
    'localhost.localdomain',
    '8.8.8.8\u0000',
    '８.８.８.８',
    5,
    true,
    {},
    ['8.8.8.8'],
  ])('%j is invalid', (value) => {
    expect(readIp(value)).toEqual({ status: 'invalid' });
  });
});

describe('networkOf', () => {
  it('counts IPv4 whole and IPv6 by its /64', () => {
    const network = (text: string) => {
      const address = parseIp(text);
      return address === undefined ? undefined : networkOf(address);
    };
    expect(network('8.8.8.8')).toBe('8.8.8.8');
    expect(network('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(network('2001:db8:1:2:ffff::')).toBe('2001:db8:1:2::/64');
    expect(network('64:ff9b::808:808')).toBe('8.8.8.8');
    expect(network('2001:db8:1:3::')).not.toBe(network('2001:db8:1:2::'));
  });
});

describe('isDocumentation', () => {
  const isDocumented = (text: string) => isDocumentation(parseIp(text) as IpAddress);

  it.each(['192.0.2.1', '198.51.100.255', '203.0.113.7', '2001:db8::1', '2001:db8:ffff::'])(
    '%s is',
    (text) => {
      expect(isDocumented(text)).toBe(true);
    },
  );

  it.each(['192.0.3.1', '198.51.101.0', '203.0.112.7', '8.8.8.8', '2001:db9::1', '2001:4860::'])(
    '%s is not',
    (text) => {
      expect(isDocumented(text)).toBe(false);
    },
  );
});
