import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readLines } from '../platform/text-lines.ts';
import { createTypingMistakes } from './typing-mistake.ts';

const { suspect } = createTypingMistakes();
/** Cases that the spelling alone decides. */
const providerMeant = (domain: string, topLevelExists: boolean) => {
  const suspicion = suspect(domain, topLevelExists);
  return suspicion === undefined || suspicion.form === 'ending' ? '' : suspicion.provider;
};

describe('a likely typing mistake', () => {
  it.each([
    'gmial.com',
    'gamil.com',
    'gmal.com',
    'gmai.com',
    'gmil.com',
    'gmaill.com',
    'ggmail.com',
    'gnail.com',
    'gmaik.com',
    'gmsil.com',
    'gmai1.com',
    'gmaio.com',
    'gmailk.com',
    'gmail.co',
    'gmail.cm',
    'gmail.om',
    'gmail.cmo',
    'gmail.vom',
    'gmail.comm',
    'gmial.cm',
  ])('%s is meant as gmail.com', (typed) => {
    expect(providerMeant(typed, true)).toBe('gmail.com');
  });

  it.each([
    ['yaho.com', 'yahoo.com'],
    ['yahooo.com', 'yahoo.com'],
    ['yhaoo.com', 'yahoo.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotnail.com', 'hotmail.com'],
    ['otmail.com', 'hotmail.com'],
    ['hotmal.co.uk', 'hotmail.co.uk'],
    ['outlok.com', 'outlook.com'],
    ['outllook.com', 'outlook.com'],
    ['icloud.co', 'icloud.com'],
    ['iclod.com', 'icloud.com'],
    ['icluod.com', 'icloud.com'],
    ['protonmial.com', 'protonmail.com'],
    ['comcats.net', 'comcast.net'],
    ['comcast.met', 'comcast.net'],
  ])('%s is meant as “%s”', (typed, meant) => {
    expect(providerMeant(typed, true)).toBe(meant);
  });

  it.each([
    'gmail.com.com',
    'gmail.co.com',
    'gmail.con.com',
    'gmailcom.com',
    'gmail-com.com',
    'g-mail.com',
    '10gmail.com',
    '1gmail.com',
    '1990gmail.com',
    '007gmial.com',
    'www.gmail.com',
    'wwwgmail.com',
    'www.gmial.com',
    'gmail.com.br',
    'gmail.com.net',
    'gmail.c.om',
    'g.mail.com',
    'gm.ail.com',
  ])('%s has something stuck to gmail.com', (typed) => {
    expect(providerMeant(typed, true)).toBe('gmail.com');
  });

  it.each([
    'gmail.comcom',
    'gmail.commm',
    'gmail.comde',
    'gmail.comx',
    'gmail.con',
    'gmail.cpm',
    '10gmail.con',
    'www.gmail.con',
  ])('%s, below no top-level domain, is meant as gmail.com', (typed) => {
    expect(providerMeant(typed, false)).toBe('gmail.com');
  });

  it.each([
    ['yahoo.com.com', 'yahoo.com'],
    ['yahoo.couk', 'yahoo.co.uk'],
    ['yahoo.co.uk.com', 'yahoo.co.uk'],
    ['yahoocouk.com', 'yahoo.co.uk'],
    ['yahoo.combr', 'yahoo.com.br'],
    ['99hotmail.com', 'hotmail.com'],
    ['hot-mail.com', 'hotmail.com'],
    ['outlookcom.com', 'outlook.com'],
    ['icloud.com.com', 'icloud.com'],
    ['proton-mail.com', 'protonmail.com'],
    ['2comcast.net', 'comcast.net'],
    ['www.web.de', 'web.de'],
    ['www.mail.ru', 'mail.ru'],
  ])('%s has something stuck to “%s”', (typed, meant) => {
    expect(providerMeant(typed, true)).toBe(meant);
  });

  it.each([
    '1mail.com',
    'mail.com.tr',
    '8163.com',
    'gmx.com.com',
    '24live.com',
    'wwwmail.com',
    'gmail.net',
    'gmail.org',
  ])('%s is another name', (domain) => {
    expect(providerMeant(domain, true)).toBe('');
  });

  it.each([
    ['gmial.com', 'slip', 'gmail.com'],
    ['gmail.co', 'slip', 'gmail.com'],
    ['10gmail.com', 'stuck', 'gmail.com'],
    ['gmail.com.com', 'stuck', 'gmail.com'],
    ['gmail.com.net', 'stuck', 'gmail.com'],
    ['gmail.co.com', 'stuck', 'gmail.com'],
    ['gmail.com.br', 'country', 'gmail.com'],
    ['hotmail.com.pe', 'country', 'hotmail.com'],
    ['outlook.com.mx', 'country', 'outlook.com'],
    ['yahoo.com.pk', 'country', 'yahoo.com'],
    ['gmail.net', 'ending', 'gmail.com'],
    ['gmail.org', 'ending', 'gmail.com'],
    ['gmail.co.uk', 'ending', 'gmail.com'],
    ['gmail.de', 'ending', 'gmail.com'],
    ['comcast.com', 'ending', 'comcast.net'],
  ])('%s is suspected as a %s of “%s”', (domain, form, provider) => {
    expect(suspect(domain, true)).toEqual({ provider, form });
  });

  it.each(['gmail.shop', 'live.net', 'mail.org', 'aol.de', 'yahoo.com.vn', 'gmail.acme.com', 'gmail.com'])(
    '%s is not suspected',
    (domain) => {
      expect(suspect(domain, true)).toBeUndefined();
    },
  );

  it('for every provider: each form leads back to it, and to no other one', () => {
    const lines = readFileSync(new URL('./data/typing-targets.txt', import.meta.url), 'utf8');
    const targets = [...readLines(lines)].map((line) => line.split(/\s+/));
    for (const [domain = '', mark] of targets) {
      expect(providerMeant(`www.${domain}`, true)).toBe(domain);
      const [name = '', ending = ''] = [
        domain.slice(0, domain.indexOf('.')),
        domain.slice(domain.indexOf('.') + 1),
      ];
      const forms = [`7${domain}`, `1234${domain}`, `${domain}.com`, `${name}.${ending}.${ending}`];
      const expected = mark === undefined ? domain : '';
      for (const form of forms) expect(providerMeant(form, true), form).toBe(expected);
      if (mark === undefined)
        expect(providerMeant(`${domain}${ending.replaceAll('.', '')}`, false)).toBe(domain);
    }
  });

  it.each([
    ['gmail.con', 'gmail.com'],
    ['aol.con', 'aol.com'],
    ['live.cpm', 'live.com'],
    ['web.dr', 'web.de'],
    ['mail.ri', 'mail.ru'],
    ['gmail.invalid', ''],
  ])('%s, below no top-level domain, is meant as “%s”', (typed, meant) => {
    expect(providerMeant(typed, false)).toBe(meant);
  });

  it.each([
    'gmail.com',
    'yahoo.co.uk',
    'hotmail.fr',
    'web.de',
    'live.com',
    // Other names that differ by one letter, and are in use.
    'mail.com',
    'email.com',
    'ymail.com',
    'cloud.com',
    'fmail.com',
    '0utlook.com',
    'never.com',
    'olive.com',
    'sezam.cz',
    'live.co',
    'aol.co',
    'web.se',
    'mail.rs',
    'hotmail.de',
    'outlook.dk',
    'yahoo.com.vn',
    'gmx.at',
    'acme.example',
    'gmailer.com',
    'mygmail.com',
    'gmail.acme.com',
    'com',
    'gmail',
    '.com',
    '',
    `${'a'.repeat(60)}.com`,
  ])('%s is not one', (domain) => {
    expect(providerMeant(domain, true)).toBe('');
  });
});
