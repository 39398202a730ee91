import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readableDomain } from './idn.ts';

describe('an internationalized domain', () => {
  it.each([
    ['xn--bcher-kva.example', 'bücher.example'],
    ['mail.xn--80aesfpebagmfblc0a.xn--p1ai', undefined],
    ['j***@xn--mnchen-3ya.de', 'j***@münchen.de'],
    ['xn--fiqs8s', '中国'],
    ['xn--mgbh0fb.xn--kgbechtv', 'مثال.إختبار'],
    // Looks like another name: it is shown beside its encoded form, never instead of it.
    ['xn--80ak6aa92e.com', 'аррӏе.com'],
  ])('%s reads %s', (domain, readable) => {
    expect(readableDomain(domain)).toBe(readable ?? domainToUnicode(domain));
  });

  it.each([
    'example.com',
    'j***@example.com',
    '',
    'xn--',
    'xn--a',
    'xn--\u0007.com',
    'xn--99999999999.com',
    'xn--bcher-kva\u202e.com',
  ])('%j has no other form', (text) => {
    expect(readableDomain(text)).toBeUndefined();
  });

  it('reads as the platform reads it, whatever its letters', () => {
    const letters = fc.array(fc.constantFrom(...'abz09äßéжяλθعربि中文한글日本กข'), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(letters, (made) => {
        const ascii = domainToASCII(`${made.join('')}.example`);
        fc.pre(ascii.startsWith('xn--'));
        expect(readableDomain(ascii)).toBe(domainToUnicode(ascii));
      }),
    );
  });

  it('never fails, and never shows what does not lead back', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const readable = readableDomain(`xn--${text}.example`);
        if (readable !== undefined) expect(domainToASCII(readable)).toBe(`xn--${text}.example`.toLowerCase());
      }),
    );
  });
});
