/** What people can say of a signup in the dashboard: the outcomes of the API, and that it was right to stop it. */
import { OUTCOMES } from './messages.ts';

/** `confirmed_fraud` is no mistake and known to the dashboard alone: `POST /v1/feedback` does not take it. */
export const LABELS = [...OUTCOMES, 'confirmed_fraud'] as const;
export type Label = (typeof LABELS)[number];
