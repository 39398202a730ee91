import { describe, expect, it } from 'vitest';
import { readBlockRange } from '../address/block.ts';
import { parseEmail } from '../address/email.ts';
import { type FoundText, recognizeText } from './dashboard-find-text.ts';

const READERS = {
  block: readBlockRange,
  domain: (text: string) => parseEmail(`x@${text}`)?.domain,
  email: parseEmail,
};

const found = (text: string): Omit<FoundText, 'words'> => {
  const { words: _, ...meanings } = recognizeText(text, READERS);
  return meanings;
};

describe('what is pasted into the search', () => {
  it.each([
    ['jane.doe@gmail.com', 'jane.doe@gmail.com', 'gmail.com'],
    [' Jane.Doe@GMail.com\n', 'jane.doe@gmail.com', 'gmail.com'],
    ['Jane Doe <jane.doe@gmail.com>', 'jane.doe@gmail.com', 'gmail.com'],
    ['mailto:jane.doe@gmail.com?subject=Help', 'jane.doe@gmail.com', 'gmail.com'],
    ['she wrote from "jane.doe@gmail.com".', 'jane.doe@gmail.com', 'gmail.com'],
    ['(jane.doe@gmail.com),', 'jane.doe@gmail.com', 'gmail.com'],
    ['jane+shop@gmail.com.', 'jane+shop@gmail.com', 'gmail.com'],
    ['zoë@bücher.example', 'zoë@xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('finds the address in %j', (text, email, domain) => {
    expect(found(text)).toEqual({ email, domain });
  });

  it.each(['j***@gmail.com', '"j***@gmail.com"', 'J. <j***@gmail.com>'])(
    'knows %j for a masked address, which is nobody’s',
    (text) => {
      expect(found(text)).toEqual({ masked: 'j***@gmail.com', domain: 'gmail.com' });
    },
  );

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9.', '203.0.113.9'],
    [' 203.0.113.9, ', '203.0.113.9'],
    ['203.0.113.9:51234', '203.0.113.9'],
    ['http://203.0.113.9/login', '203.0.113.9'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['78.46.61', '78.46.61.0/24'],
    ['78.46.61.', '78.46.61.0/24'],
    ['78.46.61.*', '78.46.61.0/24'],
    ['78.46', '78.46.0.0/16'],
    ['2001:db8::17', '2001:db8::17'],
    ['[2001:db8::17]:443', '2001:db8::17'],
    ['2001:db8::/48', '2001:db8::/48'],
  ])('finds the IP or range in %j', (text, ip) => {
    expect(found(text)).toEqual({ ip });
  });

  it.each([
    ['AS24940', 24_940],
    ['as 24940', 24_940],
    ['24940', 24_940],
    ['4294967295', 4_294_967_295],
  ])('finds the network in %j', (text, asn) => {
    expect(found(text)).toEqual({ asn });
  });

  it.each([
    ['Example.COM', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['https://www.example.com/signup?x=1', 'www.example.com'],
    ['example.com/signup', 'example.com'],
    ['.example.com', 'example.com'],
    ['*.example.com', 'example.com'],
    ['@example.com', 'example.com'],
    ['example.com.', 'example.com'],
  ])('finds the domain in %j', (text, domain) => {
    expect(found(text)).toEqual({ domain });
  });

  it.each(['req_01KBQ', ' req_01kbq ', 'req_01kbq,'])('finds the request in %j', (text) => {
    expect(found(text)).toEqual({ requestId: 'req_01kbq' });
  });

  it.each([
    'hetzner',
    'rotate key',
    'cart-77',
    '999.1.1.1',
    '4294967296',
    'a@b@c',
    '@',
    '',
    'x'.repeat(1_000),
  ])('takes %j for words', (text) => {
    expect(found(text)).toEqual({});
  });
});
