/** Says above an answer that the newest signups are not included yet, and shows the progress of the index. */
import type { IndexBacklog } from '../../../src/contract/dashboard-assessments.ts';
import { ProgressBar } from './progress-bar.tsx';
import styles from './states.module.css';
import { durationWords, progressWords } from './waiting.ts';

export function IndexingNotice({ indexing }: { indexing: IndexBacklog | null | undefined }) {
  return (
    <div role="status">
      {indexing && (
        <div className={styles.indexing}>
          <p>
            <strong>{progressWords(indexing)}</strong> The newest signups are missing on this page. It will be
            complete in {durationWords(indexing.seconds_left)}.
          </p>
          <ProgressBar {...indexing} />
        </div>
      )}
    </div>
  );
}
