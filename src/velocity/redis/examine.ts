/** Looks whether the counting servers answer and are set up as counters need it, without writing to them. */
import type { RedisServers } from '../../model/redis-servers.ts';
import { connect, type RedisClient } from './connect.ts';
import { explainFailure } from './failure-report.ts';

export interface ExaminedCounters {
  readonly version: string;
  /** Policy of the server for a full memory. */
  readonly policy: string;
  readonly isReplica: boolean;
  /** Time that its clock is ahead of ours, milliseconds. */
  readonly aheadMs: number;
}

const READY_MS = 3_000;

/** @throws with why, and what to set or check */
export async function examineCounters(servers: RedisServers): Promise<ExaminedCounters> {
  const client = connect(servers);
  let failure = 'no answer within 3 s';
  client.on('error', ({ message }: Error) => {
    failure = message;
  });
  try {
    await untilReady(client);
    const info = (await client.info()) as string;
    const before = Date.now();
    const [seconds, micros] = (await (client as unknown as { time(): Promise<[string, string]> }).time()).map(
      Number,
    ) as [number, number];
    return {
      version: /^(?:valkey|redis)_version:(\S+)/m.exec(info)?.[1] ?? 'unknown',
      policy: /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'unknown',
      isReplica: /^role:slave/m.test(info),
      aheadMs: seconds * 1_000 + micros / 1_000 - (before + Date.now()) / 2,
    };
  } catch (error) {
    const message = (error as Error).message === LATE ? failure : (error as Error).message;
    const { why, advice } = explainFailure(message);
    throw Object.assign(new Error(why), { advice });
  } finally {
    client.disconnect();
  }
}

const LATE = 'late';

function untilReady(client: RedisClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(LATE)), READY_MS);
    client.once('ready', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
