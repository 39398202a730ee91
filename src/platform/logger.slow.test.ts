/** An error that a server answers has parts of its request: none of them gets into the log. */
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { sharedPostgresUrl, sharedRedisUrl } from '../../test/support/shared-servers.ts';
import { serializeError } from './logger.ts';

const SECRETS = /198\.51\.100\.77|private\.example/;

describe('an error in the log', () => {
  it('does not contain the command that a server received', async () => {
    const redis = new Redis(await sharedRedisUrl());
    const error = await redis.eval('return redis.call("nope")', 1, 'n:198.51.100.77', 'private.example').then(
      () => undefined,
      (refusal: Error) => refusal,
    );
    redis.disconnect();
    expect(JSON.stringify(error)).toMatch(SECRETS);
    expect(serializeError(error)).toMatchObject({
      message: expect.stringMatching(/unknown/i),
    });
    expect(JSON.stringify(serializeError(error))).not.toMatch(SECRETS);
  });

  it('does not contain the row that a database refused', async () => {
    const client = new pg.Client({ connectionString: await sharedPostgresUrl() });
    await client.connect();
    await client.query('CREATE TEMP TABLE one (ip text PRIMARY KEY)');
    const insert = () => client.query("INSERT INTO one VALUES ('198.51.100.77')");
    await insert();
    const error = await insert().then(
      () => undefined,
      (refusal: Error) => refusal,
    );
    await client.end();
    expect(JSON.stringify(error)).toMatch(SECRETS);
    expect(serializeError(error)).toMatchObject({
      code: '23505',
      message: expect.stringMatching(/duplicate key/),
    });
    expect(JSON.stringify(serializeError(error))).not.toMatch(SECRETS);
  });
});
