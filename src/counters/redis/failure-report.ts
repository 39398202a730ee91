/** Decides what is reported about servers that cannot be used: the most informative failure, and another one only if it lasts. */
import { explainFailure, isUninformative } from './explain-failure.ts';

export interface FailureReportOptions {
  /** Called when the first server stops answering, with the reason and what to do, and when all answer again. */
  readonly onDegraded: (degraded: boolean, why: string, advice: string) => void;
  /** Called when the reason has changed since then; once for each reason. */
  readonly onFurtherReason?: (why: string, advice: string) => void;
}

export interface FailureReport {
  note(message: string): void;
  /** Forgets the noted failure. */
  clear(): void;
  /** Reports each change once. */
  reportChange(degraded: boolean): void;
  /** Call about each second. A short problem, such as a failover, is not reported. */
  reportFurtherReason(): void;
}

export function createFailureReport({ onDegraded, onFurtherReason }: FailureReportOptions): FailureReport {
  const advised = new Set<string>();
  let failure = '';
  let reported = false;
  let lastAdvice = '';

  return {
    note(message) {
      if (failure === '' || !isUninformative(message)) failure = message;
    },
    clear() {
      failure = '';
    },
    reportChange(degraded) {
      if (degraded === reported) return;
      reported = degraded;
      const { why, advice } = explainFailure(failure);
      advised.clear();
      advised.add(advice);
      onDegraded(degraded, why, advice);
    },
    reportFurtherReason() {
      const { why, advice } = explainFailure(failure);
      const lasts = reported && failure !== '' && advice === lastAdvice && !advised.has(advice);
      lastAdvice = advice;
      if (!lasts) return;
      advised.add(advice);
      onFurtherReason?.(why, advice);
    },
  };
}
