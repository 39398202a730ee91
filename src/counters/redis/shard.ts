/** Decides which server of a cluster has an account, so that the failure of one server does not affect the accounts of others. */
import { Cluster } from 'ioredis';
import type { RedisClient } from './connect.ts';

const SLOTS = 16_384;
/** CRC-16/XMODEM, as the cluster specification requires. */
const POLYNOMIAL = 0x1021;

/** `''` if there is only one server, or the cluster is not known yet. */
export function shardOf(client: RedisClient, account: string): string {
  if (!(client instanceof Cluster)) return '';
  return client.slots[slotOf(account)]?.[0] ?? '';
}

/** The slot of all keys with this hash tag. */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL) & 0xffff;
  }
  return crc % SLOTS;
}
