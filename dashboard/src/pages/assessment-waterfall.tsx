/** Shows how findings add up to the score: steps from 0, widest first, with the thresholds as lines across them. */
import { useId } from 'react';
import type { AssessmentDetail, WaterfallStep } from '../../../src/contract/dashboard-assessments.ts';
import { REASON_WORDS } from '../ui/reason-words.ts';
import { VERDICTS } from '../ui/verdicts.ts';
import { StepBar, ThresholdLines, ThresholdNames } from './assessment-step-bar.tsx';
import styles from './assessment-waterfall.module.css';

export function Waterfall({ one }: { one: AssessmentDetail }) {
  const { row, waterfall, thresholds, unknown } = one;
  const title = useId();
  let reached = 0;
  const steps = waterfall.map((step) => {
    const from = reached;
    reached = Math.round((reached + step.contribution) * 100) / 100;
    return { step, from, to: reached };
  });
  return (
    <section className={styles.waterfall} aria-labelledby={title}>
      <h2 id={title} className="gh-hidden">
        How the score came about
      </h2>
      <table className={styles.table}>
        <caption className="gh-hidden">
          Findings and the points each adds to the score of {row.score}; challenge from {thresholds.challenge}
          , block from {thresholds.block}.
        </caption>
        <thead>
          <tr>
            <th scope="col">Finding</th>
            <th scope="col" className={styles.points}>
              Points
            </th>
            <td className={styles.track} aria-hidden>
              <div className={styles.scale}>
                <ThresholdNames thresholds={thresholds} />
              </div>
            </td>
          </tr>
        </thead>
        <tbody>
          {steps.length === 0 && (
            <tr>
              <th scope="row" className={styles.nothing}>
                {one.list === null
                  ? 'Nothing was found that speaks against it.'
                  : 'The list decides alone: nothing else was weighed.'}
              </th>
              <td className={styles.points}>0</td>
              <td className={styles.track} aria-hidden>
                <div className={styles.scale}>
                  <ThresholdLines thresholds={thresholds} />
                </div>
              </td>
            </tr>
          )}
          {steps.map(({ step, from, to }) => (
            <tr key={step.detector}>
              <th scope="row">
                <Finding step={step} verdict={row.verdict} listed={one.list !== null} />
              </th>
              <td className={styles.points}>+{step.contribution.toFixed(2)}</td>
              <td className={styles.track} aria-hidden>
                <div className={styles.scale}>
                  <ThresholdLines thresholds={thresholds} />
                  <StepBar from={from} to={to} thresholds={thresholds} connected />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Score</th>
            <td className={styles.points}>{row.score}</td>
            <td className={styles.track} aria-hidden>
              <div className={styles.scale}>
                <ThresholdLines thresholds={thresholds} />
                <StepBar from={0} to={row.score} thresholds={thresholds} />
              </div>
            </td>
          </tr>
        </tfoot>
      </table>
      {unknown.length > 0 && (
        <div className={styles.unknown}>
          <h3>What was not known then</h3>
          <ul>
            {unknown.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
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
      <span className={styles.words}>{code === null ? 'Sandbox' : REASON_WORDS[code]}</span>
      <span className={styles.detail}>{detail}</span>
      <span className={styles.origin}>
        <span className="gh-mono">{detector}</span>, weight {weight}
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
