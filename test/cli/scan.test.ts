/** gatehouse scan: finds waves, farms and bad domains in a list of users, without an installation, and stores nothing. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateMonth } from '../../bench/wave-parts/month.mjs';
import { type CommandResult, failureOf, gatehouse, ROOT } from '../support/command.ts';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-scan-'));
let dns: TestDnsServer;
beforeAll(async () => {
  dns = await startDnsServer();
});
afterAll(async () => {
  await dns?.close();
  rmSync(folder, { recursive: true });
});

const scan = (...args: string[]): Promise<CommandResult> =>
  gatehouse(['scan', ...args], {
    GATEHOUSE_DATA_DIR: join(folder, 'no-installation'),
    GATEHOUSE_DNS_SERVERS: dns.address,
    GATEHOUSE_CANARY_DOMAINS: 'off',
  });
const PROGRESS = /^(?:\d+%: )?(?:[\d,]+ rows read|looking for waves)\n/gm;
const report = async (...args: string[]) => {
  const { status, stdout, stderr } = await scan(...args, '--json');
  // A slow machine shows how far it is.
  expect({ status, stderr: stderr.replaceAll(PROGRESS, '') }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
};
const fileOf = (name: string, text: string | Buffer) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const MIXED = [
  'ann@harbour.com',
  'bob@mailinator.com',
  'cat@gmial.com',
  'sales@harbour.com',
  'dan.f+1@gmail.com',
  'danf+2@gmail.com',
  'd.anf@gmail.com',
  'da.nf@gmail.com',
  'dan.f@gmail.com',
  'eve+shop@gmail.com',
  'eve+news@gmail.com',
  'eve@gmail.com',
  'ann@harbour.com',
  'not an address',
];

it('finds farms, throw-away, mistyped and role addresses, and says which rows it did not use', async () => {
  const json = await report(fileOf('mixed.csv', `email\n${MIXED.join('\n')}\n`));
  expect(json).toMatchObject({
    rows: 14,
    users: 13,
    columns: { email: 'email', ip: null, time: null },
    from: null,
    until: null,
    timeline: null,
    without_time: 13,
    repeated: 1,
    flagged: 6,
    in_waves: 0,
    waves: [],
    mailbox_farms: { mailboxes: 1, users: 5, share: 0.3846, largest: [{ spellings: 5, users: 5 }] },
    mailbox_aliases: { mailboxes: 1, users: 3, share: 0.2308 },
    disposable: { users: 1, domains: [{ domain: 'mailinator.com', users: 1 }] },
    dead: { users: 0, domains: [] },
    mistyped: {
      users: 1,
      domains: [{ domain: 'gmial.com', users: 1, meant: 'gmail.com' }],
      examples: [{ line: 4, email: 'c***@gmial.com', meant: 'c***@gmail.com' }],
    },
    role: { users: 1, examples: [{ line: 5, email: 's***@harbour.com' }] },
    unused: [{ count: 1, first: [{ line: 15, value: null }] }],
  });
  expect(json.not_checked.join()).toContain('mail exchange');
  expect(JSON.stringify(json)).not.toMatch(/bob@|danf/);
  const shown = await report(fileOf('mixed.csv', `email\n${MIXED.join('\n')}\n`), '--show-addresses');
  expect(shown.mistyped.examples[0]).toMatchObject({ email: 'cat@gmial.com', meant: 'cat@gmail.com' });
  expect(existsSync(join(folder, 'no-installation'))).toBe(false);
});

it('asks DNS which domains take no mail, only with --dns', async () => {
  dns.set('no-mail-harbour.com', { mx: ['0 .'] });
  dns.set('mail-harbour.com', { mx: ['10 mx.mail-harbour.com'] });
  const file = fileOf('dns.csv', 'email\na@mail-harbour.com\nb@no-mail-harbour.com\n');
  expect((await report(file)).dead.users).toBe(0);
  expect(dns.queries('no-mail-harbour.com')).toBe(0);
  const json = await report(file, '--dns');
  expect(json.dead).toMatchObject({
    users: 1,
    domains: [{ domain: 'no-mail-harbour.com', users: 1, why: 'takes no mail' }],
  });
  expect(json.not_checked.join()).not.toContain('mail exchange');
});

it.each([
  ['six tags', 6, (number: number) => `ann+t${number}`, 1],
  ['five tags', 5, (number: number) => `ann+t${number}`, 0],
  ['dots at three places', 3, (number: number) => ['a.nn', 'an.n', 'a.n.n'][number], 1],
  ['dots at two places', 2, (number: number) => ['a.nn', 'an.n'][number], 0],
])('takes a mailbox with %s for a farm or for one person', async (_, size, local, farms) => {
  const emails = Array.from({ length: size }, (_, number) => `${local(number)}@gmail.com\n`);
  const json = await report(fileOf('mailbox.csv', `email\n${emails.join('')}`));
  expect(json).toMatchObject({
    flagged: size * farms,
    mailbox_farms: { mailboxes: farms },
    mailbox_aliases: { mailboxes: 1 - farms },
  });
});

it('does not count the owner of a mailbox that somebody else spelled', async () => {
  const tagged = Array.from({ length: 9 }, (_, number) => `ann.lee+t${number}@gmail.com\n`);
  const json = await report(fileOf('framed.csv', `email\nannlee@gmail.com\n${tagged.join('')}`));
  expect(json).toMatchObject({ flagged: 9, mailbox_farms: { users: 9, largest: [{ spellings: 9 }] } });
});

describe('a month of signups with waves and crowds', () => {
  const { rows } = generateMonth({ seed: 3, size: 4_000 });
  const csv = `email,ip,created_at\n${rows
    .map(({ email, ip, at }) => `${email},${ip},${new Date(at).toISOString()}\n`)
    .join('')}`;
  const wavesOf = (json: { waves: { size: number; shares: string; examples: { line: number }[] }[] }) =>
    json.waves.map(({ size, shares, examples }) => ({
      size,
      shares,
      kinds: new Set(examples.map(({ line }) => rows[line - 2]?.kind)),
    }));

  it('shows waves with what they share, and no crowd', async () => {
    const json = await report(fileOf('month.csv', csv));
    const members = rows.filter(({ kind }) => kind === 'wave').length;
    expect(json.users).toBe(rows.length);
    expect(json.in_waves).toBeGreaterThan(members / 2);
    expect(json.in_waves).toBeLessThan(members);
    const waves = wavesOf(json);
    expect(waves.length).toBeGreaterThan(10);
    expect(waves.filter(({ kinds }) => kinds.has('crowd'))).toEqual([]);
    expect(waves.map(({ shares }) => shares).join('\n')).toMatch(/names that look generated at \S+\.\w+/);
    for (const wave of json.waves) {
      expect(wave.odds).toMatch(/^1 in /);
      expect(wave.decades).toBeGreaterThanOrEqual(wave.mark === 'victims' ? 5 : 9);
      expect(wave.from <= wave.until).toBe(true);
      expect(wave.examples.length).toBeLessThanOrEqual(5);
      expect(wave.timeline.reduce((sum: number, count: number) => sum + count, 0)).toBe(wave.size);
    }
    expect(json.waves.reduce((sum: number, { size }: { size: number }) => sum + size, 0)).toBe(json.in_waves);
  });

  it('counts the first members of a wave, from before it was found', async () => {
    const own = rows.filter(({ name }) => name === 'kit at one catch-all domain');
    const domain = own[0]?.email.split('@')[1];
    const wave = (await report(fileOf('month.csv', csv))).waves.find(
      ({ scope_text: text }: { scope_text: string }) => text === domain,
    );
    expect(wave).toMatchObject({ size: own.length, scope: 'domain', mark: 'generated' });
    expect(wave.from).toBe(`${new Date(own[0]?.at as number).toISOString().slice(0, 19)}Z`);
  });

  it('gives the same waves for rows in another order', async () => {
    const [header, ...lines] = csv.trimEnd().split('\n');
    const reversed = fileOf('reversed.csv', [header, ...lines.reverse(), ''].join('\n'));
    const sizes = (json: { waves: { shares: string; size: number }[] }) =>
      json.waves.map(({ shares, size }) => `${shares}: ${size}`).sort();
    expect(sizes(await report(reversed))).toEqual(sizes(await report(fileOf('month.csv', csv))));
  });

  it('finds waves in addresses alone', async () => {
    const emails = rows.map(({ email }) => email).join('\n');
    const json = await report(fileOf('emails.csv', `email\n${emails}\n`));
    const waves = wavesOf(json);
    expect(json.waves[0]).toMatchObject({ from: null, until: null, timeline: [], networks: 0 });
    expect(waves.length).toBeGreaterThan(5);
    expect(waves.filter(({ kinds }) => kinds.has('crowd'))).toEqual([]);
  });
});

const HOSTILE = [
  '"<script>alert(1)</script>"@harbour.com',
  '<img/src=x>@gmial.com',
  "'-alert(1)-'@gmial.com",
  '=cmd@gmial.com',
  "o'hara&co@gmial.com",
  'x@<b>.com',
];

describe('--html', () => {
  it('writes one page that needs nothing else, escaped and well-formed', async () => {
    const list = HOSTILE.map((email) => `"${email.replaceAll('"', '""')}",<script>\n`).join('');
    const file = fileOf('<b>&.csv', `email,"when <i>"\n${list}ok@gmial.com,2026-03-01\n`);
    const page = join(folder, 'page.html');
    const args = [file, '--html', page, '--show-addresses', '--columns', 'time=when <i>'];
    expect(await scan(...args, '--text')).toMatchObject({ status: 0, stderr: '' });
    // Times that cannot be read are shown, so markup of strangers gets in there, too.
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('&lt;script&gt;');
    expectWellFormed(html);
    expect(statSync(page).mode & 0o777).toBe(0o600);

    writeFileSync(file, `email\n${HOSTILE.map((email) => `"${email.replaceAll('"', '""')}"\n`).join('')}`);
    await report(file, '--html', page, '--show-addresses');
    const shown = readFileSync(page, 'utf8');
    expect(shown).toContain('o&#39;hara&amp;co@gmial.com');
    expectWellFormed(shown);
  });

  it('fails in one line before it reads a row, if the page cannot be written', async () => {
    const file = fileOf('few.csv', 'email\nann@harbour.com\n');
    for (const page of [join(folder, 'none', 'page.html'), folder])
      expect(failureOf(await scan(file, '--html', page), 1)).toContain(`cannot write ${page}`);
    expect(failureOf(await scan(file, '--html', join(folder, '.', 'few.csv')), 1)).toContain(
      'the list itself',
    );
    expect(readFileSync(file, 'utf8')).toContain('ann@harbour.com');
  });
});

const VOID = new Set(['meta', 'rect']);

/** Every element is closed in its order, nothing is loaded, and no text has become an element. */
function expectWellFormed(page: string): void {
  const open: string[] = [];
  const names = new Set<string>();
  const body = page.replace(/<style>[\s\S]*?<\/style>/, '').replace('<!doctype html>', '');
  for (const [, close, name = '', rest = ''] of body.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*)>/g,
  )) {
    names.add(name);
    if (close === '/') expect(open.pop()).toBe(name);
    else if (!VOID.has(name) && !rest.endsWith('/')) open.push(name);
    expect(rest).not.toMatch(/\son\w+=|\b(?:src|href)=/);
  }
  expect(open).toEqual([]);
  expect([...names].filter((name) => ['script', 'img', 'link', 'iframe', 'b', 'i'].includes(name))).toEqual(
    [],
  );
  expect(body.replace(/<(\/?)([a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*)>/g, '')).not.toMatch(/[<>]/);
  expect(page).not.toMatch(/https?:|@import|url\(/);
}

it('prints text of any width, and says what to do next', async () => {
  const file = fileOf('mixed.csv', `email\n${MIXED.join('\n')}\n`);
  const { stdout } = await scan(file, '--text');
  expect(stdout).toContain('6 of 13 users (46.2%) are in a wave or a mailbox farm');
  expect(stdout).toMatch(/^Throw-away domain +1 +7\.7% +█+$/m);
  expect(stdout).toContain('1 at gmial.com: gmail.com was meant');
  expect(stdout).toContain('2–5 addresses of one mailbox: 1 mailbox, 3 users');
  expect(stdout.replace(/\s+/g, ' ')).toContain('for ip and time was found: name it with --columns ip=NAME.');
  expect(stdout).toContain('Nothing was stored');
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

it('fails in one line if there is nothing to scan', async () => {
  expect(failureOf(await scan(join(folder, 'none.csv')), 1)).toContain('ENOENT');
  expect(failureOf(await scan(fileOf('empty.csv', 'email\n')), 1)).toContain('no users');
  expect(failureOf(await scan(fileOf('bad.csv', 'email\nnobody\n')), 1)).toContain('none of 1 rows');
  expect(failureOf(await scan(fileOf('bare.csv', 'ann@harbour.com\n')), 1)).toContain('a first line');
  expect(failureOf(await scan(fileOf('mixed.csv', 'email\na@b.com\n'), '--columns', 'email=x'), 1)).toContain(
    'no column “x”',
  );
  const judged = await scan(fileOf('mixed.csv', 'email\na@b.com\n'), '--columns', 'verdict=x');
  expect(failureOf(judged, 2)).toContain('email=…,ip=…,time=…');
  const utf16 = Buffer.from('\uFEFFemail\nann@harbour.com\n', 'utf16le');
  expect(failureOf(await scan(fileOf('utf16.csv', utf16)), 1)).toContain('UTF-16');
});

describe('odd files', () => {
  const field = fc.constantFrom(
    '',
    'note',
    'two\nlines',
    'a "quote"',
    'semi;colon, comma',
    '<b>',
    '=1+1',
    '\u202Ex',
  );
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const table = fc.record({
    separator: fc.constantFrom(',', ';', '\t', '|'),
    end: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\uFEFF'),
    notes: fc.array(field, { minLength: 1, maxLength: 6 }),
  });

  it('are read the same, whatever separates, ends or quotes', async () => {
    const file = join(folder, 'odd.csv');
    await fc.assert(
      fc.asyncProperty(table, async ({ separator, end, mark, notes }) => {
        const lines = notes.map((note, at) => [quote(note), `person${at}@mailinator.com`, '2026-03-01']);
        const rows = [['note', 'Email', 'Created At'], ...lines].map((cells) => cells.join(separator));
        writeFileSync(file, mark + rows.join(end) + end);
        expect(await report(file)).toMatchObject({
          rows: notes.length,
          users: notes.length,
          columns: { email: 'Email', ip: null, time: 'Created At' },
          from: '2026-03-01T00:00:00Z',
          disposable: { users: notes.length },
          unused: [],
        });
      }),
      { numRuns: 15 },
    );
  });

  it('are read as JSON lines', async () => {
    const lines = ['{"user":{"mail":"bob@mailinator.com"},"at":1767225600}', '{"user":{}}', 'x'];
    const json = await report(fileOf('users.jsonl', lines.join('\n')), '--columns', 'email=user.mail');
    expect(json).toMatchObject({ rows: 3, users: 1, from: '2026-01-01T00:00:00Z' });
    expect(json.unused).toHaveLength(2);
  });
});

it('prints what docs/scan.md shows', async () => {
  const guide = readFileSync(join(ROOT, 'docs/scan.md'), 'utf8');
  const blockOf = (language: string) =>
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';
  const { stdout } = await scan(fileOf('users.csv', blockOf('csv')), '--text');
  expect(stdout).toContain(blockOf('text'));
});
