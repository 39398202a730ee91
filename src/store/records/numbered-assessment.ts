/** The shape of an assessment with its number. */
import type { AssessmentHead, StoredAssessment } from '../stored-assessment.ts';

/** Number of a record: unique, in order of commit, nearly without gaps; from 1 on. */
interface Numbered {
  readonly seq: number;
}

export type NumberedAssessment = StoredAssessment & Numbered;
export type NumberedHead = AssessmentHead & Numbered;
