import { expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

it.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.1.1',
  '192.0.2.1',
  '224.0.0.1',
  '::',
  '::1',
  'fd00::1',
  'fe80::1',
  '::ffff:169.254.169.254',
  '::169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::',
  '2002:808:808::1',
  '2001:0:a9fe:a9fe::1',
  '2001:db8::1',
  'localhost',
  '0x7f.1',
  'fe80::1%eth0',
  '',
])('is not public: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(['8.8.8.8', '::ffff:8.8.8.8', '64:ff9b::808:808', '2606:4700::1111', '2001:4860:4860::8888'])(
  'is public: %s',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);
