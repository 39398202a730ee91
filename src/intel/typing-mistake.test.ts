import { describe, expect, it } from 'vitest';
import { createTypingMistakes } from './typing-mistake.ts';

const { providerMeant } = createTypingMistakes();

describe('a likely typing mistake', () => {
  it.each([
    ...['gmial.com', 'gamil.com', 'gmal.com', 'gmai.com', 'gmil.com', 'gmaill.com', 'ggmail.com'],
    ...['gnail.com', 'gmaik.com', 'gmsil.com', 'gmai1.com', 'gmaio.com', 'gmailk.com'],
    ...['gmail.co', 'gmail.cm', 'gmail.om', 'gmail.cmo', 'gmail.vom', 'gmail.comm', 'gmial.cm'],
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
    ...['gmail.com', 'yahoo.co.uk', 'hotmail.fr', 'web.de', 'live.com'],
    // Other names that differ by one letter, and are in use.
    ...[
      'mail.com',
      'email.com',
      'ymail.com',
      'cloud.com',
      'fmail.com',
      '0utlook.com',
      'never.com',
      'olive.com',
      'sezam.cz',
    ],
    ...['live.co', 'aol.co', 'web.se', 'mail.rs', 'hotmail.de', 'outlook.dk', 'yahoo.com.vn', 'gmx.at'],
    ...['acme.example', 'gmailer.com', 'mygmail.com', 'gmail.acme.com', 'com', 'gmail', '.com', ''],
    `${'a'.repeat(60)}.com`,
  ])('%s is not one', (domain) => {
    expect(providerMeant(domain, true)).toBe('');
  });
});
