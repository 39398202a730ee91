/** The state of a signup's challenge in a few words, and its time. */
import type { ChallengeMark } from '../../../src/contract/dashboard-assessments.ts';
import { RelativeTime } from '../ui/relative-time.tsx';

const METHODS: Readonly<Record<NonNullable<ChallengeMark['method']>, string>> = {
  application: 'your own check',
  turnstile: 'Turnstile',
  hcaptcha: 'hCaptcha',
  recaptcha: 'reCAPTCHA',
  link: 'link in the mail',
  code: 'code in the mail',
};
const WORDS: Readonly<Record<ChallengeMark['status'], string>> = {
  passed: 'Passed',
  failed: 'Failed',
  open: 'No result yet, expires',
  expired: 'No result, expired',
};

export function ChallengeState({ challenge }: { challenge: ChallengeMark }) {
  const { status, method, at } = challenge;
  return (
    <>
      {WORDS[status]}
      {method !== null && ` (${METHODS[method]})`} <RelativeTime at={at} />
    </>
  );
}
