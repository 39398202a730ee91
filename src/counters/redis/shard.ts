/** Decides which server of a cluster holds an account, so that one that fails does not speak for the others. */
import { Cluster } from 'ioredis';
import type { RedisClient } from './connect.ts';

const SLOTS = 16_384;
/** CRC-16/XMODEM, as the cluster's specification has it. */
const POLYNOMIAL = 0x1021;

/** `''` where there is but one server, or the cluster is not known yet. */
export function shardOf(client: RedisClient, account: string): string {
  if (!(client instanceof Cluster)) return '';
  return client.slots[slotOf(account)]?.[0] ?? '';
}

/** The slot of every key that has the tag between its first braces. */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL) & 0xffff;
  }
  return crc % SLOTS;
}
