/** Decides whether a person may leave a page: with unsaved changes it asks first, at links, at Back and when the tab closes. */
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { type AroundNavHandler, Router, useLocation, useSearch } from 'wouter';

/** Whether to ask before going there. `replace`: the page only rewrites its own address. */
export type Blocks = (to: URL, replace: boolean) => boolean;

export interface LeavePrompt {
  leave(): void;
  stay(): void;
}

interface Guard {
  readonly blocks: Blocks;
  /** The address of the page that is guarded. */
  here(): string;
  /** Called instead of the navigation. */
  ask(leave: () => void): void;
}

/** The guard of the current page. */
let guard: Guard | undefined;

// Listens before the router does, which subscribes when it is first rendered: browsers call listeners in that order.
window.addEventListener('popstate', (event) => {
  if (!guard?.blocks(new URL(location.href), false)) return;
  // The router does not see it: the URL is the page's again until the person has answered.
  event.stopImmediatePropagation();
  history.pushState(null, '', guard.here());
  guard.ask(() => history.back());
});

const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, options);
  if (guard?.blocks(new URL(to, location.href), options?.replace ?? false)) guard.ask(go);
  else go();
};

/** Around all pages: every navigation of the router passes here. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  return <Router aroundNav={aroundNav}>{children}</Router>;
}

/** Guard of a page: while `blocks` is set, it decides before the page is left. Returns both answers while the person must choose. */
export function useLeaveGuard(blocks: Blocks | undefined): LeavePrompt | undefined {
  const [leave, setLeave] = useState<() => void>();
  const search = useSearch();
  const [path] = useLocation();
  const latest = useRef({ blocks, here: '' });
  latest.current = { blocks, here: search === '' ? path : `${path}?${search}` };
  const active = blocks !== undefined;

  // Removed before the next page redirects, so that an ended session leads to the sign-in page without a question.
  useLayoutEffect(() => {
    if (!active) return;
    let released = false;
    guard = {
      blocks: (to, replace) => !released && (latest.current.blocks?.(to, replace) ?? false),
      here: () => latest.current.here,
      ask: (go) =>
        setLeave(() => () => {
          released = true;
          go();
        }),
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    return () => {
      guard = undefined;
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [active]);

  return leave && { leave, stay: () => setLeave(undefined) };
}
