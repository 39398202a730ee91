/** Removes all keys that begin with a text, wherever the servers keep them. */
import { Redis } from 'ioredis';
import type { RedisClient } from './connect.ts';

const KEYS_A_STEP = 1_000;
/** Characters that a pattern gives another meaning. */
const SPECIAL = /[*?[\]\\]/g;

/** The server has time for others between two steps. @throws when a server does not answer */
export async function removeKeys(client: RedisClient, beginning: string): Promise<void> {
  const pattern = `${beginning.replace(SPECIAL, '\\$&')}*`;
  for (const server of client instanceof Redis ? [client] : client.nodes('master')) {
    let cursor = '0';
    do {
      const [next, found] = await server.scan(cursor, 'MATCH', pattern, 'COUNT', KEYS_A_STEP);
      if (found.length > 0) await server.unlink(...found);
      cursor = next;
    } while (cursor !== '0');
  }
}
