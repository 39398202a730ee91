/** Decides which first steps are done, which one comes next, and whether the list is shown at all. */
import type { FirstSteps } from '../../../src/contract/dashboard-account.ts';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';

export type StepId = 'run' | 'see' | 'signup' | 'invite';

export interface Step {
  readonly id: StepId;
  readonly done: boolean;
}

export function stepsOf({ latest, key_used, live_signup, people }: FirstSteps): readonly Step[] {
  const assessed = latest.live !== null || latest.test !== null;
  return [
    { id: 'run', done: key_used || assessed },
    { id: 'see', done: assessed },
    { id: 'signup', done: live_signup },
    { id: 'invite', done: people > 1 },
  ];
}

/** The newest assessment, in whichever mode it was made. */
export function newestOf({ latest: { live, test } }: FirstSteps): AssessmentRow | null {
  if (live === null || test === null) return live ?? test;
  return Date.parse(live.at) >= Date.parse(test.at) ? live : test;
}

export type Visibility = 'shown' | 'hidden' | 'done';

const nameOf = (account: string) => `gatehouse-first-steps-${account}`;

/** Visibility in this browser, for this person: others still see the list. */
export function readVisibility(account: string): Visibility {
  const stored = localStorage.getItem(nameOf(account));
  return stored === 'hidden' || stored === 'done' ? stored : 'shown';
}

export function keepVisibility(account: string, visibility: Visibility): void {
  localStorage.setItem(nameOf(account), visibility);
}
