import { expect, it } from 'vitest';
import { readDatabaseUrl } from './database-url.ts';

it.each([
  'postgres://db/gatehouse',
  'postgresql://db:5433/gatehouse',
  'postgres://user@db/gatehouse',
  'postgres://user:pass@db:5432/gatehouse?sslmode=verify-full&sslrootcert=/etc/ca@home.pem',
  'postgres://user:p%40ss%2Fw%23rd@db/gatehouse',
  // The last @ before the host ends the password: nothing else can be meant.
  'postgres://user:p@ss@db/gatehouse',
  'postgres://user:a:b@db/gatehouse',
  'postgres:///gatehouse?host=/var/run/postgresql',
  'postgresql://%2Fvar%2Frun%2Fpostgresql/gatehouse',
  'postgres://user@/gatehouse?host=/var/run/postgresql',
  'postgres://user:pass@/gatehouse?host=/var/run/postgresql&port=5433',
  'postgres://user:pass@%2Fvar%2Frun%2Fpostgresql/gatehouse',
  'postgres://db/na@me',
])('takes %s', (text) => {
  expect(readDatabaseUrl(text)).toBe(text);
});

it.each([
  ['postgres://user:p@ss/w#rd@db/gatehouse', '`/` as %2F, `#` as %23'],
  ['postgres://user:p#ss@db/gatehouse', '`#` as %23'],
  ['postgres://user:p/ss@db/gatehouse', '`/` as %2F'],
  ['postgres://user:1/ss@db/gatehouse', '`/` as %2F'],
  ['postgres://user:p/ss@db', '`/` as %2F'],
  ['postgres://user:p#ss@/gatehouse?host=/run', '`#` as %23'],
  ['postgres://user:p?ss@db/gatehouse', '`?` as %3F'],
  ['postgres://user:p ss@db/gatehouse', '` ` as %20'],
  ['postgres://user:p[ss]@db/gatehouse', '`[` as %5B, `]` as %5D'],
  ['postgres://user:100%@db/gatehouse', '`%` as %25'],
  ['postgres://user:p%ss@db/gatehouse', '`%` as %25'],
  ['postgres://user:a\\b@db/gatehouse', '`\\` as %5C'],
])('names the characters to encode in %s', (text, pairs) => {
  expect(() => readDatabaseUrl(text)).toThrow(
    new Error(`has reserved characters in the user or password: percent-encode them, ${pairs}`),
  );
});

it.each(['postgres://user:p%FCss@db/gatehouse', 'postgres://j%FCrgen:pass@db/gatehouse'])(
  'says that %s is no UTF-8',
  (text) => {
    expect(() => readDatabaseUrl(text)).toThrow(
      new Error('has a %XX in the user or password that is no UTF-8: `ü`, for example, is %C3%BC'),
    );
  },
);

it.each(['hunter2', 'mysql://db/x', 'postgres:/db', 'postgres://db:port/x'])('refuses %s', (text) => {
  expect(() => readDatabaseUrl(text)).toThrow(/^must be a URL like postgres:/);
});
