/** Labels that a person can give a signup, in words. */
import type { Label } from '../../../src/contract/dashboard-assessments.ts';

interface Choice {
  readonly value: Label;
  readonly label: string;
  readonly description: string;
}

const CONFIRMED: Choice = {
  value: 'confirmed_fraud',
  label: 'Fraud confirmed',
  description: 'Stopping it was right.',
};
export const MISTAKES: readonly Choice[] = [
  { value: 'false_positive', label: 'Good customer stopped', description: 'A false positive.' },
  { value: 'false_negative', label: 'Fraud let in', description: 'A false negative.' },
];
export const LABELS = [...MISTAKES, CONFIRMED];
