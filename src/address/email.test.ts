import { describe, expect, it } from 'vitest';
import { parseEmail } from './email.ts';
import { maskEmail } from './fingerprint.ts';
import { mailboxOf } from './mailbox.ts';

describe('parseEmail', () => {
  it.each([
    ['jo@example.com', 'jo@example.com'],
    ['  JO@Example.COM ', 'jo@example.com'],
    ['a@b.co', 'a@b.co'],
    ["o'hara+tag@mail.example.museum", "o'hara+tag@mail.example.museum"],
    ['jo@bücher.example', 'jo@xn--bcher-kva.example'],
    ['jo@BÜCHER.example', 'jo@xn--bcher-kva.example'],
    ['jo@xn--bcher-kva.example', 'jo@xn--bcher-kva.example'],
    ['jo@例え.テスト', 'jo@xn--r8jz45g.xn--zckzah'],
    ['пользователь@example.com', 'пользователь@example.com'],
    ['jo@your-team.test', 'jo@your-team.test'],
    ['jo@1.example', 'jo@1.example'],
    [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
  ])('%s is read as %s', (text, address) => {
    expect(parseEmail(text)?.address).toBe(address);
  });

  it.each([
    'jo',
    '@example.com',
    'jo@',
    'jo@example',
    'jo@localhost',
    'jo@@example.com',
    'jo@a@example.com',
    'jo example@example.com',
    'jo@exam ple.com',
    'jo@.com',
    'jo@example..com',
    'jo@example.com.',
    'jo@-example.com',
    'jo@example-.com',
    'jo@example.c',
    'jo@example.123',
    'jo@192.168.0.1',
    'jo@[192.168.0.1]',
    'jo@[IPv6:::1]',
    '"jo"@example.com',
    'Jo <jo@example.com>',
    'jo,al@example.com',
    'jo@exa_mple.com',
    'jo@exam%70le.com',
    'jo@ex%61mplé.com',
    'jo\u0000@example.com',
    'jo\n@example.com',
    'jo@example.com\u0000',
    'jo\ud800@example.com',
    'jo@\ud800.com',
    'jo@xn--.com',
    'jo@xn--a.com',
    `${'a'.repeat(243)}@example.com`,
    `jo@${'a'.repeat(64)}.com`,
    `${'é'.repeat(122)}@example.com`,
  ])('%j is refused', (text) => {
    expect(parseEmail(text)).toBeUndefined();
  });
});

describe('mailboxOf', () => {
  it.each([
    ['jo.smith+shop@gmail.com', 'josmith@gmail.com'],
    ['J.o.Smith@googlemail.com', 'josmith@gmail.com'],
    ['jo-shop@yahoo.co.uk', 'jo@yahoo.co.uk'],
    ['jo+shop@yahoo.com', 'jo+shop@yahoo.com'],
    ['anything@jo.fastmail.com', 'jo@fastmail.com'],
    ['jo+shop@fastmail.com', 'jo@fastmail.com'],
    ['jo+shop@example.com', 'jo@example.com'],
    ['jo.smith@example.com', 'jo.smith@example.com'],
    ['jo-shop@example.com', 'jo-shop@example.com'],
    ['+shop@example.com', '+shop@example.com'],
    ['...@gmail.com', '...@gmail.com'],
    ['jo.smith+shop@ya.ru', 'jo-smith@yandex.ru'],
    ['Jo-Smith@yandex.com', 'jo-smith@yandex.ru'],
    ['jo.smith@yandex.by', 'jo-smith@yandex.ru'],
    ['jo.smith@yandex.kz', 'jo-smith@yandex.ru'],
    ['jo.smith@yandex.ua', 'jo-smith@yandex.ru'],
    ['jo_smith@yandex.ru', 'jo_smith@yandex.ru'],
    ['j.o-s_mith+shop@pm.me', 'josmith@proton.me'],
    ['josmith@protonmail.com', 'josmith@proton.me'],
    ['jo.smith@protonmail.ch', 'josmith@proton.me'],
    ['jo-smith@proton.me', 'josmith@proton.me'],
    ['-_.@proton.me', '-_.@proton.me'],
    ['jo+shop@mac.com', 'jo@icloud.com'],
    ['jo@me.com', 'jo@icloud.com'],
    ['jo.smith@icloud.com', 'jo.smith@icloud.com'],
    ['anything@jo.sent.com', 'jo@sent.com'],
    ['jo+shop@eml.cc', 'jo@eml.cc'],
    ['a@b.jo.fastmail.com', 'a@b.jo.fastmail.com'],
    ['jo-shop@ymail.com', 'jo@ymail.com'],
    ['jo-shop@rocketmail.com', 'jo@rocketmail.com'],
    ['jo+shop@hotmail.com', 'jo@hotmail.com'],
    ['jo-shop@hotmail.com', 'jo-shop@hotmail.com'],
    ['jo+shop@runbox.no', 'jo@runbox.com'],
    ['jo.smith+shop@tuta.com', 'jo.smith@tuta.com'],
    // A firm's own domain, wherever its mail is: dots are significant at Google Workspace.
    ['anne.marie@firma.de', 'anne.marie@firma.de'],
    ['anne-marie@firma.de', 'anne-marie@firma.de'],
    ['anne_marie@firma.de', 'anne_marie@firma.de'],
    // Yahoo runs AT&T's mail, but nothing says that a hyphen there is no part of a name.
    ['anne-marie@att.net', 'anne-marie@att.net'],
    ['anne-marie@bellsouth.net', 'anne-marie@bellsouth.net'],
    ['anne+shop@sbcglobal.net', 'anne@sbcglobal.net'],
  ])('%s delivers to %s', (text, mailbox) => {
    const email = parseEmail(text);
    expect(email === undefined ? undefined : mailboxOf(email)).toBe(mailbox);
  });
});

describe('maskEmail', () => {
  it('shows the first character and the domain', () => {
    const email = parseEmail('josephine@example.com');
    expect(email === undefined ? undefined : maskEmail(email)).toBe('j***@example.com');
  });
});
