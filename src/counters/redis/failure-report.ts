/** Decides what is reported about servers that cannot be used: the failure that says most, and another one only if it lasts. */
import { explainFailure, saysNothing } from './explain-failure.ts';

export interface FailureReportOptions {
  /** Called when the first server stops answering, with the reason and what to do, and when all answer again. */
  readonly onDegraded: (degraded: boolean, why: string, advice: string) => void;
  /** Called when the reason has changed since then; once for each reason. */
  readonly onFurtherReason?: (why: string, advice: string) => void;
}

export interface FailureReport {
  note(message: string): void;
  /** What was noted is over. */
  clear(): void;
  /** Told once of each change. */
  tell(degraded: boolean): void;
  /** To be called each second or so. What passes by itself, as a failover does, is not worth a line. */
  tellFurther(): void;
}

export function createFailureReport({ onDegraded, onFurtherReason }: FailureReportOptions): FailureReport {
  const advised = new Set<string>();
  let failure = '';
  let told = false;
  let lately = '';

  return {
    note(message) {
      if (failure === '' || !saysNothing(message)) failure = message;
    },
    clear() {
      failure = '';
    },
    tell(degraded) {
      if (degraded === told) return;
      told = degraded;
      const { why, advice } = explainFailure(failure);
      advised.clear();
      advised.add(advice);
      onDegraded(degraded, why, advice);
    },
    tellFurther() {
      const { why, advice } = explainFailure(failure);
      const lasts = told && failure !== '' && advice === lately && !advised.has(advice);
      lately = advice;
      if (!lasts) return;
      advised.add(advice);
      onFurtherReason?.(why, advice);
    },
  };
}
