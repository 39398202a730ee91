/** One person, one spelling: Unicode forms, case, and characters that nobody sees. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oddAddress } from '../../test/support/odd-addresses.ts';
import { parseEmail } from './email.ts';
import { mailboxOf } from './mailbox.ts';

const addressOf = (text: string) => parseEmail(text)?.address;
const mailbox = (text: string) => {
  const email = parseEmail(text);
  return email === undefined ? undefined : mailboxOf(email);
};

/** Every code point of the property, and the fillers that fonts draw as nothing. */
const UNSEEN = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /\p{Default_Ignorable_Code_Point}/u.test(character))
  .concat('\u2800', '\u{13441}', '\u{13442}', '\u{16fe4}', '\u{1d159}');

describe('the spellings of one address', () => {
  it.each([
    [
      'NFC and NFD',
      ['j\u00fcrgen@firma.de', 'ju\u0308rgen@firma.de', 'J\u00dcRGEN@Firma.DE', 'JU\u0308RGEN@firma.de'],
    ],
    ['marks in another order', ['a\u0323\u0301@firma.de', 'a\u0301\u0323@firma.de', '\u1ea1\u0301@firma.de']],
    ['Hangul', ['\ud55c\uae00@firma.kr', '\u1112\u1161\u11ab\u1100\u1173\u11af@firma.kr']],
    [
      'the signs of Kelvin and \u00c5ngstr\u00f6m',
      ['k\u00e5@firma.se', '\u212a\u212b@firma.se', 'k\u0041\u030a@firma.se'],
    ],
    [
      'the Turkish capital',
      ['ilker@firma.tr', '\u0130lker@firma.tr', 'I\u0307lker@firma.tr', 'i\u0307lker@firma.tr'],
    ],
    ['the capital of \u00df', ['stra\u00dfe@firma.de', 'STRA\u1e9eE@firma.de']],
    [
      'a final sigma',
      [
        '\u03bd\u03af\u03ba\u03bf\u03c2@firma.gr',
        '\u039d\u038a\u039a\u039f\u03a3@firma.gr',
        '\u03bd\u03af\u03ba\u03bf\u03c3@firma.gr',
      ],
    ],
    [
      'a sigma before a dot',
      [
        '\u03bd\u03af\u03ba\u03bf\u03c2.\u03c0\u03b1\u03c0@firma.gr',
        '\u039d\u038a\u039a\u039f\u03a3.\u03a0\u0391\u03a0@firma.gr',
      ],
    ],
    [
      'a domain in all its forms',
      [
        'jo@xn--bcher-kva.example',
        'jo@B\u00dcCHER.example',
        'jo@bu\u0308cher.example',
        'jo@XN--BCHER-KVA.example',
      ],
    ],
    [
      'what is invisible at both ends',
      [
        'jo@firma.de',
        '\u200b\u2066jo@firma.de\u2069\ufe0f',
        '\u00ad\u3164jo@firma.de\u2800 \u3164',
        '\ufeff\u00a0jo@firma.de\u{e0041}',
      ],
    ],
  ])('%s are one', (_, texts) => {
    expect(new Set(texts.map(addressOf))).toEqual(new Set([addressOf(texts[0] as string)]));
    expect(addressOf(texts[0] as string)).toBeDefined();
  });

  it.each([
    ['\u00df and ss: Strau\u00df and Strauss are two families', 'strau\u00df@firma.de', 'strauss@firma.de'],
    ['a dotless \u0131', '\u0131rmak@firma.tr', 'irmak@firma.tr'],
    ['a letter of another script', '\u0430nn@firma.de', 'ann@firma.de'],
    ['an accent', 'ren\u00e9@firma.fr', 'rene@firma.fr'],
    ['anne-marie and anne-sophie', 'anne-marie@firma.de', 'anne-sophie@firma.de'],
    ['the same at AT&T', 'anne-marie@bellsouth.net', 'anne-sophie@bellsouth.net'],
  ])('%s: two people', (_, one, other) => {
    expect(addressOf(one)).not.toBe(addressOf(other));
    expect(mailbox(one)).not.toBe(mailbox(other));
  });

  it('forms of the same character are another address, but the same mailbox', () => {
    expect(addressOf('\uff4a\uff4f@firma.de')).toBe('\uff4a\uff4f@firma.de');
    for (const text of [
      '\uff4a\uff4f@firma.de',
      '\uff2a\uff2f\uff0bx@firma.de',
      '\u{1d423}\u{1d428}@firma.de',
    ])
      expect(mailbox(text)).toBe('jo@firma.de');
    expect(mailbox('o\ufb03ce@firma.de')).toBe('office@firma.de');
  });

  it('characters that nobody sees are refused inside, in both parts alike, and trimmed at both ends alike', () => {
    expect(UNSEEN.length).toBeGreaterThan(4_000);
    const wrong = UNSEEN.filter(
      (unseen) =>
        addressOf(`j${unseen}o@firma.de`) !== undefined ||
        addressOf(`jo@fir${unseen}ma.de`) !== undefined ||
        addressOf(`jo${unseen}@firma.de`) !== undefined ||
        addressOf(`${unseen}jo@firma.de`) !== 'jo@firma.de' ||
        addressOf(`jo@firma.de${unseen}`) !== 'jo@firma.de',
    );
    expect(wrong).toEqual([]);
  });

  it('what could not be decoded is refused: it stands for any letter', () => {
    expect(addressOf('j\ufffdrgen@firma.de')).toBeUndefined();
  });

  it('parses to itself, however it was written', () => {
    fc.assert(
      fc.property(oddAddress, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (text, form) => {
        const address = addressOf(text);
        if (address === undefined) return;
        expect(addressOf(address)).toBe(address);
        const local = address.slice(0, address.indexOf('@'));
        const domain = address.slice(address.indexOf('@'));
        for (const other of [local.normalize('NFD'), local.toUpperCase().normalize('NFD').toLowerCase()])
          if (other.normalize('NFC') === local) expect(addressOf(other + domain)).toBe(address);
        // A mailbox is one, whatever form it has.
        const formed = mailbox(local.normalize(form) + domain);
        if (formed !== undefined) expect(formed).toBe(mailbox(address));
      }),
    );
  });
});
