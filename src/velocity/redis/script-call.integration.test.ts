/** The script of each signup runs as the library would run it, also if the server does not know it, and with text beyond ASCII. */
import type { Redis } from 'ioredis';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { sharedRedisUrl } from '../../../test/support/shared-servers.ts';
import { readRedisUrl } from '../../config/redis-url.ts';
import type { RedisServers } from '../../model/redis-servers.ts';
import { connect } from './connect.ts';
import { createScriptCall } from './script-call.ts';

const client = connect(readRedisUrl(await sharedRedisUrl()) as RedisServers) as Redis;
await new Promise((resolve) => client.once('ready', resolve));
afterAll(() => client.disconnect());

let loads = 0;
beforeEach(() => {
  loads = 0;
});

function scriptOf(lua: string) {
  return createScriptCall({
    lua,
    client: () => client,
    load: (keys, ...rest) => {
      loads += 1;
      return client.eval(lua, keys, ...rest) as Promise<string>;
    },
  });
}

it('gives the parts of the reply, and loads the script only once', async () => {
  const call = scriptOf(`return string.format('%d -17 0,%s,7 -8', #KEYS, ARGV[1]) -- ${process.pid}`);
  for (let round = 0; round < 3; round += 1)
    expect(await call(['{a}1', '{a}2'], [1_795_490_000_000])).toEqual([
      [2, -17, 0],
      [1_795_490_000_000],
      [7, -8],
    ]);
  expect(loads).toBe(1);
});

it('answers the calls of one turn in order, also when the server does not know the script', async () => {
  const call = scriptOf(`return ARGV[1] .. ' ' .. #ARGV[2] -- ${process.pid}`);
  const all = (first: number) =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) => call(['a'], [first + index, 'x'.repeat(index * 1_000)])),
    );
  const expected = (first: number) =>
    Array.from({ length: 20 }, (_, index) => [[first + index, index * 1_000]]);
  expect(await all(0)).toEqual(expected(0));
  expect(loads).toBe(20);
  expect(await all(100)).toEqual(expected(100));
  expect(loads).toBe(20);
});

it('sends the length of text beyond ASCII in bytes', async () => {
  const call = scriptOf("return #KEYS[1] .. ' ' .. #ARGV[1]");
  expect(await call(['ключ'], ['€'])).toEqual([[8, 3]]);
  expect(await call(['key'], ['e'])).toEqual([[3, 1]]);
});

it('passes on the error of the script', async () => {
  const call = scriptOf("return redis.error_reply('WRONG key')");
  await expect(call(['a'], [])).rejects.toThrow('WRONG key');
  await expect(call(['a'], [])).rejects.toThrow('WRONG key');
});
