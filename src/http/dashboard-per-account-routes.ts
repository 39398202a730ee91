/** Registers the dashboard's routes about one account and about intelligence. */
import type { Directory } from '../accounts/directory.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { DashboardStore } from '../store/dashboard-store.ts';
import type { LogStore } from '../store/history-store.ts';
import type { AccountStore, AssessmentStore, ListStore } from '../store/store.ts';
import type { AnswerSignup } from './answer-signup.ts';
import { assessmentRoutes } from './dashboard-assessment.ts';
import { assessmentsRoutes } from './dashboard-assessments.ts';
import { feedbackPageRoute } from './dashboard-feedback.ts';
import { firstStepsRoute } from './dashboard-first-steps.ts';
import type { SearchReaders } from './dashboard-history-filter.ts';
import { intelligenceRoutes } from './dashboard-intelligence.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';
import { keysRoutes } from './dashboard-keys.ts';
import { listPreviewRoute, type TryListEntry } from './dashboard-list-preview.ts';
import { listsRoutes, type ReadListValue } from './dashboard-lists.ts';
import { type MailHostAdmin, mailHostRoutes } from './dashboard-mail-hosts.ts';
import { overviewRoute } from './dashboard-overview.ts';
import { policyRoutes } from './dashboard-policy.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { simulateRoute } from './dashboard-simulate.ts';
import { tryRoute } from './dashboard-try.ts';
import { usageRoutes } from './dashboard-usage.ts';
import type { IsCrowdedDomain } from './dashboard-wide-entry.ts';
import type { ToErrorResponse } from './problems.ts';

/** Services from folders that HTTP may not import; app*.ts passes them in. */
export interface AccountServices {
  readonly intelligence: IntelligenceService;
  readonly hosts: MailHostAdmin;
  readonly readers: SearchReaders;
  readonly readListValue: ReadListValue;
  readonly isCrowdedDomain: IsCrowdedDomain;
  readonly tryListEntry: TryListEntry;
}

export interface PerAccountRoutesOptions {
  readonly services: AccountServices;
  readonly store: DashboardStore & AccountStore & ListStore & LogStore & AssessmentStore;
  readonly directory: Directory;
  readonly answerSignup: AnswerSignup;
  readonly toErrorResponse: ToErrorResponse;
  readonly makeId: MakeId;
  readonly clock: () => number;
  readonly onFault: (error: unknown) => void;
}

export function perAccountRoutes(routes: DashboardRoutes, options: PerAccountRoutesOptions): void {
  const { store, directory, answerSignup, toErrorResponse, makeId, clock, onFault } = options;
  const { intelligence, hosts, readers, readListValue, isCrowdedDomain, tryListEntry } = options.services;
  overviewRoute(routes, { store, intelligence });
  firstStepsRoute(routes, { store, directory });
  assessmentsRoutes(routes, { store, readers });
  assessmentRoutes(routes, { store, directory, intelligence });
  policyRoutes(routes, { store, directory });
  simulateRoute(routes, { store, directory, clock });
  keysRoutes(routes, { store, directory, makeId });
  listsRoutes(routes, { store, makeId, readListValue, isCrowdedDomain });
  listPreviewRoute(routes, { store, tryListEntry });
  feedbackPageRoute(routes, { store });
  usageRoutes(routes, { store });
  tryRoute(routes, { answerSignup, directory, toErrorResponse, makeId });
  intelligenceRoutes(routes, { intelligence, onFault });
  mailHostRoutes(routes, { hosts });
}
