/** The API response: formatted for reading, or byte for byte. */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../ui/code-block.tsx';
import styles from './assessment-view.module.css';

export function ExactAnswer({ body }: { body: string }) {
  const [exact, setExact] = useState(false);
  return (
    <section className={styles.section} aria-label="API response">
      <div className={styles.answerHead}>
        <h2>API response</h2>
        <SegmentedControl
          size="xs"
          aria-label="How the response is shown"
          value={exact ? 'exact' : 'readable'}
          onChange={(value) => setExact(value === 'exact')}
          data={[
            { value: 'readable', label: 'Readable' },
            { value: 'exact', label: 'Exact' },
          ]}
        />
      </div>
      <CodeBlock
        label={exact ? 'Exact response' : 'Readable response'}
        code={exact ? body : JSON.stringify(JSON.parse(body), null, 2)}
        wrap
      />
    </section>
  );
}
