import { describe, expect, it } from 'vitest';
import { readRedisUrl } from './redis-url.ts';

const PLAIN = { kind: 'server', database: 0, tls: false, username: null, password: null, sentinel: null };
const at = (...hosts: string[]) =>
  hosts.map((text) => {
    const end = text.lastIndexOf(':');
    return { host: text.slice(0, end), port: Number(text.slice(end + 1)) };
  });

describe('REDIS_URL', () => {
  it.each([
    ['none', null],
    ['redis://a', { ...PLAIN, endpoints: at('a:6379') }],
    ['redis://a/3', { ...PLAIN, endpoints: at('a:6379'), database: 3 }],
    ['redis://a/?db=3', { ...PLAIN, endpoints: at('a:6379'), database: 3 }],
    [
      'rediss://me:p%40ss@[::1]:7000',
      { ...PLAIN, tls: true, username: 'me', password: 'p@ss', endpoints: at('::1:7000') },
    ],
    ['rediss://a:1, rediss://b:2', { ...PLAIN, kind: 'cluster', tls: true, endpoints: at('a:1', 'b:2') }],
    [
      'redis://:word@a:1,redis://b:2,redis://:word@c:3',
      { ...PLAIN, kind: 'cluster', password: 'word', endpoints: at('a:1', 'b:2', 'c:3') },
    ],
    ['unix:///run/redis/a%20b.sock', { ...PLAIN, endpoints: [{ path: '/run/redis/a b.sock' }] }],
    [
      'redis+unix://me:word@/run/redis.sock?db=2',
      { ...PLAIN, username: 'me', password: 'word', database: 2, endpoints: [{ path: '/run/redis.sock' }] },
    ],
    [
      'redis+sentinel://a,b:5000,[::1]/main',
      {
        ...PLAIN,
        kind: 'sentinel',
        endpoints: at('a:26379', 'b:5000', '::1:26379'),
        sentinel: { primary: 'main', username: null, password: null },
      },
    ],
    [
      'rediss+sentinel://me:word@a/main/2?sentinel_user=they&sentinel_password=w%26rd',
      {
        ...PLAIN,
        kind: 'sentinel',
        tls: true,
        username: 'me',
        password: 'word',
        database: 2,
        endpoints: at('a:26379'),
        sentinel: { primary: 'main', username: 'they', password: 'w&rd' },
      },
    ],
  ])('may be %s', (text, servers) => {
    expect(readRedisUrl(text)).toEqual(servers);
  });

  const form = 'must be redis://host:6379, rediss://';
  it.each([
    ['a:6379', form],
    ['http://hunter2', form],
    ['redis://', form],
    ['redis://a:0', form],
    ['redis://a:70000', form],
    ['redis://a,hunter2', form],
    ['redis://:hunter2%ZZ@a', form],
    ['redis://:hunter2#@a', form],
    ['redis://:hunter2/x@a', form],
    ['redis://:hunter2@a/one', 'must use a number for the database, as in redis://host:6379/0'],
    ['redis://a?password=hunter2', 'must have no parameters except db'],
    ['redis://a,redis://b/1', 'must use database 0 for a cluster'],
    ['redis://a,rediss://b', 'must use the same scheme, user and password for all nodes of a cluster'],
    [
      'redis://:hunter2@a,redis://:hunter3@b',
      'must use the same scheme, user and password for all nodes of a cluster',
    ],
    ['unix://host/path', 'must name the absolute path of the socket: unix:///path'],
    ['unix://', 'must name the absolute path of the socket: unix:///path'],
    [
      'redis+sentinel://a:1,b:2',
      'must end with the Sentinels’ name for the primary: redis+sentinel://host:26379/name',
    ],
    ['redis+sentinel:///main', form],
    [
      'redis+sentinel://a/main?password=hunter2',
      'must have no parameters except sentinel_user and sentinel_password',
    ],
  ])('%s is an error that does not repeat it', (text, rule) => {
    expect(() => readRedisUrl(text)).toThrow(rule);
    expect(() => readRedisUrl(text)).not.toThrow(/hunter/);
  });
});
