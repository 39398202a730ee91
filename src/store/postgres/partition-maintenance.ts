/** Keeps the months in order: partitions stand before they are needed, and what is older than it is kept for goes. */
import { monthOf } from '../month.ts';
import type { Database } from './database.ts';
import { addMonths } from './month-ids.ts';
import { dropPartitionsBefore, makePartitions, newestMonth } from './partitions.ts';

export interface PartitionMaintenanceOptions {
  readonly database: Database;
  /** How many whole months are kept besides the one that goes on; `null` keeps all. */
  readonly retentionMonths: number | null;
  /** Milliseconds since the epoch: says which partitions to make, never which to drop. */
  readonly clock: () => number;
  readonly onFault: (error: Error) => void;
}

export interface PartitionMaintenance {
  /** Once more, now, in this database where one is told. @throws when it cannot; what was not done is done the next time */
  poll(patient?: Database): Promise<void>;
  close(): void;
}

const EVERY_MS = 3_600_000;

/** Any number of nodes may do it at once: the server's lock lets one go after the other, and the second finds nothing to do. */
export function createPartitionMaintenance({
  database,
  retentionMonths,
  clock,
  onFault,
}: PartitionMaintenanceOptions): PartitionMaintenance {
  async function poll(used = database): Promise<void> {
    const month = monthOf(clock());
    await makePartitions(used, [month, addMonths(month, 1)]);
    if (retentionMonths === null) return;
    const newest = await newestMonth(used);
    if (newest !== undefined)
      await dropPartitionsBefore(used, addMonths(newest, -Math.max(0, retentionMonths)));
  }

  const again = setInterval(() => void poll().catch(onFault), EVERY_MS).unref();
  return { poll, close: () => clearInterval(again) };
}
