import { describe, expect, it } from 'vitest';
import {
  createChooseColumns,
  createParseColumns,
  JUDGED_PARTS,
  type NamedColumns,
} from './signup-columns.ts';
import { readSignupRecords } from './signup-records.ts';

const parseColumns = createParseColumns(JUDGED_PARTS);

/** Read in pieces of `size` characters, so that pieces end in the middle of a value. */
async function read(text: string, columns: NamedColumns = {}, size = 7) {
  async function* chunks() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const records = [];
  for await (const batch of readSignupRecords(chunks(), createChooseColumns(columns, JUDGED_PARTS)))
    records.push(...batch);
  return records;
}

const ANN = { email: 'ann@example.com', ip: '198.51.100.7', time: '1767225600', verdict: 'ok' };

describe('CSV', () => {
  it.each([
    ['commas', 'email,ip,time,verdict\nann@example.com,198.51.100.7,1767225600,ok\n'],
    [
      'semicolons, CRLF and a byte order mark',
      '\uFEFFEmail;IP;Time;Verdict\r\nann@example.com;198.51.100.7;1767225600;ok\r\n',
    ],
    [
      'tabs, another order and no last line end',
      'DECISION\tCreated At\tClient-IP\tE-Mail\nok\t1767225600\t198.51.100.7\tann@example.com',
    ],
    [
      'quotes and spaces',
      '"email", ip ,"time","verdict"\n"ann@example.com",198.51.100.7 ,"1767225600","ok"\n',
    ],
    [
      'blank lines before the header',
      '\n\nemail,ip,time,verdict\nann@example.com,198.51.100.7,1767225600,ok\n',
    ],
    [
      'the line of Excel about the separator',
      'sep=;\r\nemail;ip;time;verdict\r\nann@example.com;198.51.100.7;1767225600;ok\r\n',
    ],
    [
      'names in German',
      'E-Mail-Adresse;IP-Adresse;time;verdict\nann@example.com;198.51.100.7;1767225600;ok\n',
    ],
    [
      'names in Spanish',
      'Correo electro\u0301nico;Dirección IP;time;verdict\nann@example.com;198.51.100.7;1767225600;ok\n',
    ],
    [
      'names in camel case',
      'emailAddress,ipAddress,createdAt,verdict\nann@example.com,198.51.100.7,1767225600,ok\n',
    ],
  ])('with %s', async (_, text) => {
    expect(await read(text)).toMatchObject([ANN]);
  });

  it('reads separators, quotes and line ends within quotes, and numbers lines as an editor does', async () => {
    const text =
      'note,email,verdict\r\n"a ""b"", c\r\nd",x@example.com,allow\r\n\r\ne,y@example.com,block\r\n';
    expect(await read(text)).toEqual([
      { line: 2, email: 'x@example.com', ip: '', time: '', verdict: 'allow' },
      { line: 5, email: 'y@example.com', ip: '', time: '', verdict: 'block' },
    ]);
  });

  it('reports short lines, and continues after a quote that is never closed', async () => {
    const rest = 'y@example.com,block\n'.repeat(2_000);
    const records = await read(`email,verdict\nx@example.com\n"y@example.com,allow\n${rest}`, {}, 4_096);
    expect(records.slice(0, 3)).toEqual([
      { line: 2, problem: 'the line has too few columns' },
      { line: 3, problem: 'a quoted field is never closed' },
      { line: 4, email: 'y@example.com', ip: '', time: '', verdict: 'block' },
    ]);
    expect(records).toHaveLength(2_002);
    expect(records.at(-1)).toMatchObject({ line: 2_003 });
    expect(await read('email,verdict\n"x,allow\ny,block')).toEqual([
      { line: 2, problem: 'a quoted field is never closed' },
      { line: 3, email: 'y', ip: '', time: '', verdict: 'block' },
    ]);
  });

  it('uses the named columns, in any case', async () => {
    const text = 'mail,customer mail,what\nwrong@example.com,ann@example.com,ok';
    const named = parseColumns('verdict=What', parseColumns('email=Customer Mail'));
    expect(await read(text, named)).toMatchObject([{ email: 'ann@example.com', verdict: 'ok' }]);
  });

  it('says which column is missing, and which columns exist', async () => {
    await expect(read('a,b\n1,2')).rejects.toThrow('no column for the email was found in “a, b”');
    await expect(read('email,b\n1,2', { verdict: 'c' })).rejects.toThrow('no column “c”');
    expect(() => parseColumns('mail=a')).toThrow('email=…');
    expect(() => parseColumns('email=')).toThrow('email=…');
  });

  it.each([
    ['e\0m\0a\0i\0l\0\n', 'UTF-16'],
    ['PK\u0003\u0004\0\0', 'spreadsheet'],
    ['\u001f\ufffd\b\0', 'compressed'],
    ['[{"email":"ann@example.com"}]', 'JSON array'],
    ['[\n  {"email":"ann@example.com"}\n]', 'JSON array'],
  ])('says what %j is', async (text, what) => {
    await expect(read(text)).rejects.toThrow(what);
  });
});

describe('JSON lines', () => {
  it('finds the address, the IP and the time inside of other members, if there is one of each', async () => {
    const line = { user: { email: ANN.email, ip: ANN.ip }, meta: { createdAt: 1767225600 }, verdict: 'ok' };
    expect(await read(JSON.stringify(line))).toMatchObject([ANN]);
    await expect(read('{"user":{"email":"a@b.c"},"by":{"email":"d@e.f"},"verdict":1}')).rejects.toThrow(
      'user.email, by.email',
    );
    await expect(read('{"email":"a@b.c","user":{"status":"new"}}')).rejects.toThrow('for the verdict');
  });

  it('reads members, nested ones by a path, and reports lines that are not JSON', async () => {
    const lines = [
      { email: 'ann@example.com', ip: '198.51.100.7', time: 1767225600, policy: { action: 'ok' } },
      { email: 'bob@example.com', time: null, policy: {} },
    ].map((line) => JSON.stringify(line));
    const named = parseColumns('verdict=policy.action');
    expect(await read(`${lines[0]}\n{"email":\n[1]\n${lines[1]}`, named)).toEqual([
      { line: 1, ...ANN },
      { line: 2, problem: 'the line is not a JSON object' },
      { line: 3, problem: 'the line is not a JSON object' },
      { line: 4, email: 'bob@example.com', ip: '', time: '', verdict: '' },
    ]);
  });
});
