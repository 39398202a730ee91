/** Which page stands at which path. Pages of an account see `useScope()`; each is loaded when it is first opened. */
import { type ComponentType, lazy } from 'react';

export interface PageRoute {
  readonly path: string;
  readonly page: ComponentType;
  /** Seen without being signed in. */
  readonly open?: boolean;
}

export const ROUTES: readonly PageRoute[] = [
  {
    path: '/sign-in',
    open: true,
    page: lazily(async () => (await import('./pages/entry-sign-in-page.tsx')).SignInPage),
  },
  {
    path: '/setup/:old?',
    open: true,
    page: lazily(async () => (await import('./pages/entry-setup-page.tsx')).SetupPage),
  },
  {
    path: '/invitations/:old?',
    open: true,
    page: lazily(async () => (await import('./pages/entry-invitation-page.tsx')).InvitationPage),
  },
  {
    path: '/profile',
    page: lazily(async () => (await import('./pages/profile-page.tsx')).ProfilePage),
  },
  {
    path: '/accounts/:account/overview',
    page: lazily(async () => (await import('./pages/overview-page.tsx')).OverviewPage),
  },
  {
    path: '/accounts/:account/assessments/:request_id/full',
    page: lazily(async () => (await import('./pages/assessment-page.tsx')).AssessmentPage),
  },
  {
    path: '/accounts/:account/assessments/:request_id?',
    page: lazily(async () => (await import('./pages/assessments-page.tsx')).AssessmentsPage),
  },
  {
    path: '/accounts/:account/feedback',
    page: lazily(async () => (await import('./pages/feedback-page.tsx')).FeedbackPage),
  },
  {
    path: '/accounts/:account/lists',
    page: lazily(async () => (await import('./pages/lists-page.tsx')).ListsPage),
  },
  {
    path: '/accounts/:account/keys',
    page: lazily(async () => (await import('./pages/keys-page.tsx')).KeysPage),
  },
  {
    path: '/accounts/:account/usage',
    page: lazily(async () => (await import('./pages/usage-page.tsx')).UsagePage),
  },
  {
    path: '/accounts/:account/try',
    page: lazily(async () => (await import('./pages/try-page.tsx')).TryPage),
  },
  {
    path: '/accounts/:account/thresholds',
    page: lazily(async () => (await import('./pages/thresholds-page.tsx')).ThresholdsPage),
  },
  {
    path: '/accounts/:account/people',
    page: lazily(async () => (await import('./pages/people-page.tsx')).PeoplePage),
  },
  {
    path: '/accounts/:account/audit',
    page: lazily(async () => (await import('./pages/audit-page.tsx')).AuditPage),
  },
  {
    path: '/intelligence/:source?',
    page: lazily(async () => (await import('./pages/intelligence-page.tsx')).IntelligencePage),
  },
  {
    path: '/operator',
    page: lazily(async () => (await import('./pages/accounts-page.tsx')).AccountsPage),
  },
  {
    path: '/operator/people',
    page: lazily(async () => (await import('./pages/people-everybody-page.tsx')).EverybodyPage),
  },
  {
    path: '/operator/audit',
    page: lazily(async () => (await import('./pages/audit-installation-page.tsx')).InstallationAuditPage),
  },
];

function lazily(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => ({ default: await load() }));
}
