/** Puts together what the dashboard asks about an account and about intelligence. */
import type { Directory } from '../../accounts/directory.ts';
import type { MakeId } from '../../contract/identifiers.ts';
import type { DashboardStore } from '../../store/dashboard-store.ts';
import type { LogStore } from '../../store/log-store.ts';
import type { AccountStore, AssessmentStore, ListStore } from '../../store/store.ts';
import type { ToErrorResponse } from '../problems.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { AnswerAttempt } from '../routes/answer-attempt.ts';
import { intelligenceRoutes } from './installation/intelligence.ts';
import type { IntelligenceService } from './installation/intelligence-service.ts';
import { type MailHostDesk, mailHostRoutes } from './installation/mail-hosts.ts';
import type { SearchReaders } from './log/log-filter.ts';
import type { DashboardRoutes } from './route.ts';
import { assessmentRoutes } from './routes/assessment.ts';
import { assessmentsRoutes } from './routes/assessments.ts';
import { feedbackPageRoute } from './routes/feedback.ts';
import { firstStepsRoute } from './routes/first-steps.ts';
import { keysRoutes } from './routes/keys.ts';
import { listPreviewRoute, type TryListEntry } from './routes/list-preview.ts';
import { listsRoutes, type ReadListValue } from './routes/lists.ts';
import { overviewRoute } from './routes/overview.ts';
import { policyRoutes } from './routes/policy.ts';
import { simulateRoute } from './routes/simulate.ts';
import { tryRoute } from './routes/try.ts';
import { usageRoutes } from './routes/usage.ts';

/** What only wire.ts can hand over: what lies in rooms that HTTP may not enter. */
export interface AccountServices {
  readonly intelligence: IntelligenceService;
  readonly hosts: MailHostDesk;
  readonly readers: SearchReaders;
  readonly readListValue: ReadListValue;
  readonly tryListEntry: TryListEntry;
}

export interface PerAccountRoutesOptions extends AccountServices {
  readonly store: DashboardStore & AccountStore & ListStore & LogStore & AssessmentStore;
  readonly directory: Directory;
  readonly meter: RateLimiter;
  readonly answerAttempt: AnswerAttempt;
  readonly refuse: ToErrorResponse;
  readonly makeId: MakeId;
  readonly clock: () => number;
  readonly onFault: (error: unknown) => void;
}

export function perAccountRoutes(routes: DashboardRoutes, options: PerAccountRoutesOptions): void {
  overviewRoute(routes, options);
  firstStepsRoute(routes, options);
  assessmentsRoutes(routes, options);
  assessmentRoutes(routes, options);
  policyRoutes(routes, options);
  simulateRoute(routes, options);
  keysRoutes(routes, options);
  listsRoutes(routes, options);
  listPreviewRoute(routes, options);
  feedbackPageRoute(routes, options);
  usageRoutes(routes, options);
  tryRoute(routes, options);
  intelligenceRoutes(routes, options);
  mailHostRoutes(routes, options);
}
