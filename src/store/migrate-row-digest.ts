/** Decides when two tables hold the same: count and hash of their rows, whatever their order. */
import { hash } from 'node:crypto';
import type { Cell, MigrationRow } from './migrate-ports.ts';

export interface TableDigest {
  readonly rows: number;
  /** Sum of the rows' SHA-256, hex. */
  readonly hash: string;
}

export interface RowDigest {
  add(rows: readonly MigrationRow[]): void;
  end(): TableDigest;
}

const WORDS = 8;

export function createRowDigest(): RowDigest {
  const sum = new Uint32Array(WORDS);
  let count = 0;
  return {
    add(rows) {
      for (const row of rows) {
        const digest = hash('sha256', row.map(write).join(''), 'buffer');
        for (let word = 0; word < WORDS; word += 1) {
          sum[word] = (sum[word] as number) + digest.readUInt32BE(4 * word);
        }
      }
      count += rows.length;
    },
    end() {
      return { rows: count, hash: [...sum].map((word) => word.toString(16).padStart(8, '0')).join('') };
    },
  };
}

/** No two rows that differ are written alike. */
function write(cell: Cell): string {
  if (typeof cell === 'string') return `"${cell.length}:${cell}`;
  if (cell === null) return '-';
  return typeof cell === 'object' ? `[${cell.join(' ')}]` : `${cell};`;
}
