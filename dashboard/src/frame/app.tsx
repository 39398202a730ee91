/**
 * Decides what is shown at a path: an entry page, a page in the frame, or a redirect to the sign-in page. Pages are loaded
 * when they are first opened.
 */
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link, matchRoute, Redirect, Route, Switch, useLocation, useRouter, useSearchParams } from 'wouter';
import { useEnded, useSession } from '../api.ts';
import { isOfAccount, PAGES } from '../pages.ts';
import { accountHref, useAccountId } from '../scope.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { lazyPage } from './page-files.ts';

// The entry pages have no frame.
const Frame = lazy(async () => ({ default: (await import('./frame.tsx')).Frame }));

// Rarely needed.
const SessionEnded = lazy(async () => ({ default: (await import('./session-ended.tsx')).SessionEnded }));

/** `route`: the path from the root, with its parameters. */
const ROUTES = PAGES.map((page) => ({
  ...page,
  route: isOfAccount(page) ? `/accounts/:account/${page.path}` : page.path,
  component: lazyPage(page),
}));

export function App() {
  return (
    <Suspense fallback={null}>
      <ErrorBoundary>
        <Switch>
          {ROUTES.filter(({ role }) => role === 'anyone').map(({ route, component: Page }) => (
            <Route key={route} path={route}>
              <Page />
            </Route>
          ))}
          <Route>
            <SignedIn />
          </Route>
        </Switch>
      </ErrorBoundary>
    </Suspense>
  );
}

function SignedIn() {
  const session = useSession();
  const ended = useEnded();
  const [path] = useLocation();
  const [search] = useSearchParams();
  const named = useAccountId();
  const { parser } = useRouter();
  if (session.data === null) return <Redirect to={signInPath(path, search)} replace />;
  if (session.data === undefined)
    return session.error === null ? null : (
      <ErrorState error={session.error} onRetry={() => void session.refetch()} />
    );
  const { accounts } = session.data;
  const stranger = named !== undefined && !accounts.some(({ id }) => id === named);
  const first = accounts[0];
  const title = ROUTES.find(({ route }) => matchRoute(parser, route, path)[0])?.title;
  return (
    <Frame key={session.data.user.id} session={session.data}>
      {ended && (
        <Suspense fallback={null}>
          <SessionEnded user={session.data.user} />
        </Suspense>
      )}
      <ErrorBoundary place={path}>
        <Suspense fallback={<PageSkeleton title={title} />}>
          {stranger ? (
            <NotFound />
          ) : (
            <Switch>
              <Route path="/">
                {first === undefined ? (
                  <NoAccount operator={session.data.user.operator} />
                ) : (
                  <Redirect
                    to={accountHref(first.id, first.role === 'member' ? 'support' : 'today')}
                    replace
                  />
                )}
              </Route>
              <Route path="/accounts/:account/overview">
                <Redirect to={path.replace(/overview$/, `today?${search}`)} replace />
              </Route>
              {ROUTES.filter(({ role }) => role !== 'anyone').map(
                ({ route, role, title, component: Page }) => (
                  <Route key={route} path={route}>
                    {role === 'operator' && !session.data?.user.operator ? (
                      <OperatorsOnly title={title} />
                    ) : (
                      <Page key={named} />
                    )}
                  </Route>
                ),
              )}
              <Route>
                <NotFound />
              </Route>
            </Switch>
          )}
        </Suspense>
      </ErrorBoundary>
    </Frame>
  );
}

function NotFound() {
  return (
    <>
      <PageHeader title="Page not found">
        The page does not exist, or you are not a member of the account it belongs to.
      </PageHeader>
      <Link href="/">Go to the first page</Link>
    </>
  );
}

function OperatorsOnly({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState title="Only the operator sees this">
        This page is about the whole installation. Choose your account in the navigation.
      </EmptyState>
    </>
  );
}

function NoAccount({ operator }: { operator: boolean }) {
  return (
    <EmptyState title="No account yet">
      {operator
        ? 'Create the first one under Accounts. It gets its own keys, thresholds and lists.'
        : 'You are not a member of any account. Ask the person who invited you.'}
    </EmptyState>
  );
}

function signInPath(path: string, search: URLSearchParams): string {
  const here = search.size === 0 ? path : `${path}?${search}`;
  return here === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next: here })}`;
}

/** A placeholder while the page's code loads, below the title that it will have. */
function PageSkeleton({ title }: { title: string | undefined }) {
  return (
    <div aria-busy>
      {title === undefined ? <Skeleton height={28} width={180} mb={24} /> : <PageHeader title={title} />}
      <Skeleton height={84} mb={16} radius={8} />
      <Skeleton height={320} radius={8} />
    </div>
  );
}
