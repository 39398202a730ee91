/** Shows how findings add up to the score: steps from 0, widest first, with the thresholds as lines across them. */
import { type ReactNode, useId } from 'react';
import type { AssessmentDetail, WaterfallStep } from '../../../src/contract/dashboard-assessments.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import { VERDICTS } from '../ui/verdicts.ts';
import { StepBar, ThresholdLines, ThresholdNames } from './assessment-step-bar.tsx';
import styles from './assessment-waterfall.module.css';

export function Waterfall({ detail }: { detail: AssessmentDetail }) {
  const { row, thresholds, unknown } = detail;
  const title = useId();
  return (
    <section className={styles.waterfall} aria-labelledby={title}>
      <h2 id={title} className="gh-hidden">
        How the score was calculated
      </h2>
      <table className={styles.table}>
        <caption className="gh-hidden">
          Findings and the points each adds to the score of {row.score}. Challenge from {thresholds.challenge}
          , block from {thresholds.block}.
        </caption>
        <thead>
          <tr>
            <th scope="col">Finding</th>
            <th scope="col" className={styles.points}>
              Points
            </th>
            <Track>
              <ThresholdNames thresholds={thresholds} />
            </Track>
          </tr>
        </thead>
        <tbody>
          <Steps detail={detail} />
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Score</th>
            <td className={styles.points}>{row.score}</td>
            <Track>
              <ThresholdLines thresholds={thresholds} />
              <StepBar from={0} to={row.score} verdict={row.verdict} />
            </Track>
          </tr>
        </tfoot>
      </table>
      {unknown.length > 0 && <Unknown sentences={unknown} />}
    </section>
  );
}

function Steps({ detail }: { detail: AssessmentDetail }) {
  const { row, waterfall, thresholds, list } = detail;
  if (waterfall.length === 0)
    return (
      <tr>
        <th scope="row" className={styles.nothing}>
          {list === null
            ? 'No finding counts against this signup.'
            : 'The list entry alone decides. Nothing else was scored.'}
        </th>
        <td className={styles.points}>0</td>
        <Track>
          <ThresholdLines thresholds={thresholds} />
        </Track>
      </tr>
    );
  let reached = 0;
  return waterfall.map((step) => {
    const from = reached;
    reached = Math.round((reached + step.contribution) * 100) / 100;
    return (
      <tr key={step.detector}>
        <th scope="row">
          <Finding step={step} verdict={row.verdict} listed={list !== null} />
        </th>
        <td className={styles.points}>+{step.contribution.toFixed(2)}</td>
        <Track>
          <ThresholdLines thresholds={thresholds} />
          <StepBar from={from} to={reached} />
        </Track>
      </tr>
    );
  });
}

/** The numbers beside it say the same. */
function Track({ children }: { children: ReactNode }) {
  return (
    <td className={styles.track} aria-hidden>
      <div className={styles.scale}>{children}</div>
    </td>
  );
}

function Unknown({ sentences }: { sentences: readonly string[] }) {
  return (
    <div className={styles.unknown}>
      <h3>What we could not check</h3>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

function Finding({
  step,
  verdict,
  listed,
}: {
  step: WaterfallStep;
  verdict: AssessmentDetail['row']['verdict'];
  listed: boolean;
}) {
  const { code, detector, weight, detail, hits, without } = step;
  return (
    <>
      <span className={styles.words}>{labelOfDetector(detector)}</span>
      <span className={styles.detail}>{detail}</span>
      <span className={styles.origin}>
        <span className="gh-mono">{code ?? detector}</span>, weight {weight}
        {!listed && without.verdict !== verdict && (
          <>
            {' '}
            · without it {without.score}, {VERDICTS[without.verdict].did}
          </>
        )}
      </span>
      {hits.map(({ source, version, entry }) => (
        <span key={`${source} ${entry}`} className={styles.origin}>
          <span title={version === '' ? undefined : `version ${version}`}>{source}</span>:{' '}
          <span className="gh-mono">{entry}</span>
        </span>
      ))}
    </>
  );
}
