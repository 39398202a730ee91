/** Knowledge of elsewhere in PostgreSQL: what is asked for or kept within a moment goes as one statement. */
import type { Knowledge, KnowledgeStore } from '../store.ts';
import { decodeText, encodeText } from '../text.ts';
import type { Database } from './database.ts';
import { groupReads } from './grouped-read.ts';

const READ = {
  name: 'gatehouse_knowledge',
  text: 'SELECT name, text, expires_at FROM knowledge WHERE name = ANY ($1::text[])',
};
const KEEP = `INSERT INTO knowledge (name, text, expires_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) ORDER BY 1
  ON CONFLICT (name) DO UPDATE SET text = excluded.text, expires_at = excluded.expires_at`;
/** An assessment waits for it: better to ask elsewhere than to wait for a database that is in trouble. */
const PATIENCE_MS = 100;
/** More is not kept: losing it costs a fetch. */
const MOST_WAITING = 10_000;

export interface PostgresKnowledge extends KnowledgeStore {
  knowledge(name: string): Promise<Knowledge | undefined>;
  close(): Promise<void>;
}

export function createKnowledgeStore(
  { query }: Database,
  onFault: (error: Error) => void,
): PostgresKnowledge {
  const read = groupReads<Knowledge>(async (names) => {
    const rows = await query<{ name: string; text: string; expires_at: number }>(READ, [names]);
    return new Map(
      rows.map(({ name, text, expires_at }) => [name, { text: decodeText(text), expiresAt: expires_at }]),
    );
  });
  let kept = new Map<string, Knowledge>();
  let keeping = new Map<string, Knowledge>();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (kept.size > 0) {
      keeping = kept;
      kept = new Map();
      const texts = [...keeping.values()];
      const values = [
        [...keeping.keys()],
        texts.map(({ text }) => encodeText(text)),
        texts.map(({ expiresAt }) => expiresAt),
      ];
      await query(KEEP, values).catch(onFault);
    }
    keeping = new Map();
    writing = undefined;
  }

  return {
    async knowledge(name) {
      const held = kept.get(name) ?? keeping.get(name);
      if (held !== undefined) return held;
      return patiently(read(name)).catch((error: Error) => {
        onFault(error);
        return undefined;
      });
    },
    keepKnowledge(name, text, expiresAt) {
      if (kept.size >= MOST_WAITING) return;
      kept.set(name, { text, expiresAt });
      writing ??= write();
    },
    async close() {
      await writing;
    },
  };
}

async function patiently<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
}
