/** Looks into the store of an installation beside its running service, for what no operation shows. */
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import type { Installation } from './service.ts';

/** The threads run the built modules. */
const THREADS = {
  writer: new URL('../../dist/store/sqlite/writer.js', import.meta.url),
  checkpointer: new URL('../../dist/store/sqlite/checkpointer.js', import.meta.url),
  logThread: new URL('../../dist/store/sqlite/log/log-thread.js', import.meta.url),
};

export async function withStored<T>(
  { environment }: Installation,
  look: (store: Store) => Promise<T>,
): Promise<T> {
  const store = openSqliteStore({ directory: environment.GATEHOUSE_DATA_DIR as string, ...THREADS });
  try {
    return await look(store);
  } finally {
    await store.close();
  }
}
