/** Decides and changes again where somebody else changed meanwhile what was decided on. */
import { Problem } from '../contract/problem.ts';
import { StaleVersion } from '../store/sql-database.ts';

/** Every failed attempt means that another change was made. */
const MAX_ATTEMPTS = 100;

/** @throws what `attempt` throws, except StaleVersion; Problem `unavailable` if there are other changes all the time */
export async function retryStale<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleVersion)) throw error;
    }
  }
  throw new Problem('unavailable');
}
