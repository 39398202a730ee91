/** Addresses that look like others or break readers: right to left, look-alike letters, mixed scripts, international names, lone surrogates. */
import fc from 'fast-check';

/** Characters that change the text direction, or are invisible. */
const INVISIBLE = [
  '\u202e',
  '\u202d',
  '\u2066',
  '\u2069',
  '\u200f',
  '\u200e',
  '\u200b',
  '\u200d',
  '\u200c',
  '\u00ad',
  '\ufeff',
  '\u2060',
];
const RTL = ['مثال', 'דוגמה', 'نام', 'ܫܠܡܐ', '\u0660\u0661', 'א1', '1א', 'aא', 'אa'];
/** Letters of other scripts and forms for Latin ones. */
const LOOK_ALIKE: Record<string, readonly string[]> = {
  a: ['а', 'ɑ', 'ａ', '𝐚', 'á', 'a\u0301'],
  c: ['с', 'ϲ', 'ⅽ'],
  e: ['е', 'ｅ', '℮', 'é'],
  g: ['ɡ', 'ｇ', 'ց'],
  i: ['і', 'ı', 'İ', 'ⅰ', 'ﬁ'],
  k: ['K', 'к'],
  l: ['ⅼ', 'Ӏ', 'ӏ', 'ł'],
  m: ['ｍ', 'м', 'ⅿ', 'rn'],
  o: ['о', 'ο', 'օ', '०', '0', 'º'],
  p: ['р', 'ρ', 'ｐ'],
  s: ['ѕ', 'ß', 'ſ'],
  y: ['у', 'ү', 'ʏ'],
};
const SCRIPTS = [
  'почта',
  'δοκιμή',
  '例え',
  '테스트',
  'परीक्षा',
  'ตัวอย่าง',
  'ⴰⵎⴰⵣⵉⵖ',
  '🦊',
  '☃',
  'ⓐⓑ',
  '½',
  '㎏',
];
const DOTS = ['.', '。', '．', '｡', '․', '..', '.\u200d.'];
const SIGNS = ['@', '＠', '﹫', '@\u202e', '@@', '%40'];
const PUNYCODE = [
  'xn--',
  'xn--a',
  'xn--zzzzzzzzzz',
  'XN--BCHER-KVA',
  'xn--bcher-kva',
  'xn--xn--a-',
  'xn--80ak6aa92e',
  'xn--0',
  'a.xn--p1ai',
  'xn--ls8h',
];
const KNOWN = ['gmail.com', 'paypal.com', 'mailinator.com', 'example.com', 'microsoft.com'];
const LONE = ['\ud800', '\udc00', '\udfff\ud800', 'a\ud83d', '\udc00a'];

const lookAlike = fc
  .tuple(fc.constantFrom(...KNOWN), fc.array(fc.nat(), { minLength: 1, maxLength: 4 }))
  .map(([known, places]) => {
    const letters = [...known];
    for (const place of places) {
      const at = place % letters.length;
      const forms = LOOK_ALIKE[letters[at] as string];
      if (forms !== undefined) letters[at] = forms[place % forms.length] as string;
    }
    return letters.join('');
  });

const odd = fc.constantFrom(...INVISIBLE, ...RTL, ...SCRIPTS, ...PUNYCODE, ...LONE);
const label = fc.oneof(
  fc
    .tuple(fc.constantFrom('', 'a', 'info', 'x-'), odd, fc.constantFrom('', 'b', '7', '-'))
    .map((parts) => parts.join('')),
  fc.tuple(odd, odd).map((parts) => parts.join('')),
);
const host = fc.oneof(
  lookAlike,
  fc
    .tuple(
      label,
      fc.constantFrom(...DOTS),
      fc.constantFrom('com', 'рф', 'xn--p1ai', 'مصر', '中国', 'сом', 'c\u200dom', 'çom'),
    )
    .map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom(...KNOWN), fc.constantFrom(...INVISIBLE)).map((parts) => parts.join('')),
);

/** The text of an address. */
export const oddAddress: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(fc.constantFrom('jo', 'a+b'), label),
    fc.oneof({ weight: 4, arbitrary: fc.constant('@') }, { weight: 1, arbitrary: fc.constantFrom(...SIGNS) }),
    host,
  )
  .map((parts) => parts.join(''));
