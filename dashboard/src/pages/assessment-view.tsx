/** One assessment in full: first the verdict and its reason, then the signals and actions. */
import { SegmentedControl, Skeleton } from '@mantine/core';
import { Fragment, memo, type ReactNode, useEffect, useState } from 'react';
import type { AssessmentDetail } from '../../../src/contract/dashboard-assessments.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyLink } from '../ui/copy-link.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { later } from '../ui/later.tsx';
import { WhenNear } from '../ui/when-near.tsx';
import { FeedbackSection } from './assessment-feedback.tsx';
import { SentenceForCustomer } from './assessment-sentence.tsx';
import { Signals } from './assessment-signals.tsx';
import { VerdictHead } from './assessment-verdict-head.tsx';
import styles from './assessment-view.module.css';
import { Waterfall } from './assessment-waterfall.tsx';

const Outcomes = later(async () => (await import('./assessment-outcomes.tsx')).Outcomes);
const RelatedSignups = later(async () => (await import('./assessment-related.tsx')).RelatedSignups);

/** Time for which the signup before stays in sight while the next one is read. */
const PATIENCE_MS = 300;

export function AssessmentView({ requestId, wide = false }: { requestId: string; wide?: boolean }) {
  const { api } = useScope();
  const query = useGet<AssessmentDetail>(api(`assessments/${requestId}`));
  const detail = useUntilNext(query.data);
  if (query.error !== null && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (detail === undefined) return <Loading />;
  const isNext = query.data === undefined;
  return (
    // Nothing can be done with the one before.
    <div inert={isNext} aria-busy={isNext}>
      <Signup key={detail.row.request_id} detail={detail} wide={wide} />
    </div>
  );
}

/** The data, or for a moment the data before: from one signup to the next, nothing is drawn in between. */
function useUntilNext<Data>(data: Data | undefined): Data | undefined {
  const [before, setBefore] = useState<Data>();
  if (data !== undefined && data !== before) setBefore(data);
  useEffect(() => {
    if (data !== undefined) return;
    const timer = setTimeout(() => setBefore(undefined), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [data]);
  return data ?? before;
}

const Signup = memo(function Signup({ detail, wide }: { detail: AssessmentDetail; wide: boolean }) {
  const { page } = useScope();
  const requestId = detail.row.request_id;
  const Later = wide ? Fragment : WhenNear;
  return (
    <article className={styles.view} data-wide={wide || undefined}>
      <VerdictHead detail={detail} />
      <Waterfall detail={detail} />
      <div className={styles.columns}>
        <div>
          <Section title="What would have changed the verdict">
            <Sentences
              sentences={detail.flips}
              otherwise="No single finding, list entry or threshold would have changed it."
            />
          </Section>
          <Section title="For the customer and for colleagues">
            <p className="gh-dim">{detail.plain.answer}</p>
            <SentenceForCustomer detail={detail} allowed={false} />
            <CopyLink href={page(`assessments/${requestId}`)} />
          </Section>
          <FeedbackSection detail={detail} />
          {detail.outcomes.length > 0 && <Outcomes outcomes={detail.outcomes} />}
          <div className="gh-screen">
            <Section title="Related signups">
              <Later>
                <RelatedSignups requestId={requestId} />
              </Later>
            </Section>
          </div>
        </div>
        <div>
          <Section title="Signals">
            <Signals detail={detail} />
          </Section>
        </div>
      </div>
      <Later>
        <ExactAnswer body={detail.body} />
      </Later>
      <p className={styles.judgedBy}>
        Scored by policy <CopyText text={detail.policy} what="policy version" /> with intelligence{' '}
        <CopyText text={detail.snapshot} shown={shortened(detail.snapshot)} what="snapshot id" />
      </p>
    </article>
  );
});

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Sentences({ sentences, otherwise }: { sentences: readonly string[]; otherwise: string }) {
  if (sentences.length === 0) return <p className="gh-dim">{otherwise}</p>;
  return (
    <ul className={styles.sentences}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** The API response: formatted for reading, or byte for byte. */
function ExactAnswer({ body }: { body: string }) {
  const [exact, setExact] = useState(false);
  return (
    <section className={`${styles.section} gh-screen`} aria-label="API response">
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

/** It stands still: an animation would be drawn many times while a person goes through many signups. */
function Loading() {
  return (
    <div aria-busy role="status" aria-label="Loading the signup">
      <Skeleton animate={false} height={30} width={200} mb="sm" />
      <Skeleton animate={false} height={14} width="90%" mb="xl" />
      <Skeleton animate={false} height={72} mb="xl" />
      <Skeleton animate={false} height={220} mb="xl" />
      <Skeleton animate={false} height={120} />
    </div>
  );
}

function shortened(id: string): string {
  return id.length > 20 ? `${id.slice(0, 16)}…` : id;
}
