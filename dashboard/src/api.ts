/** How pages ask the dashboard's API: typed, errors in the service's own words, signed out when the session ended. */
import {
  MutationCache,
  QueryCache,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { type ApiError, ApiProblem } from './api-problem.ts';
import { fetchOnFocus } from './fetch-on-focus.ts';
import { useBaseVersion } from './use-base-version.ts';

export { ApiProblem } from './api-problem.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type QueryMembers = Readonly<Record<string, string | number | undefined>>;

const API = '/dashboard/api';
const AUTH = '/dashboard/auth';
const SESSION = '/session';
const ENDED = 'session ended';
/** Patience longer than any answer takes: the service itself waits at most 15 s for anything. */
const PATIENCE_MS = 60_000;
const LATE = 'late';
/** Number of times that a page retries by itself before it shows a button. */
const MAX_WAITS = 100;
const RETRY_MS = 1_000;
/** Interval at which every page checks for what concerns everybody, such as a distrusted source. */
const SESSION_MS = 30_000;
/** Max. pages of a list that are fetched again when the person returns to the window. */
const MAX_PAGES_ON_FOCUS = 3;
/** Interval at which changing numbers are fetched again while the page is visible. */
export const LIVE_MS = 5_000;

/** `/accounts/acc_1/today?mode=live`: members without a value are left out. */
export function withQuery(path: string, query: QueryMembers): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
}

/** The URL of an API path, for download links. */
export function apiUrl(path: string): string {
  return `${API}${path}`;
}

export function send<Answer>(
  method: Method,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  return ask(method, `${API}${path}`, body, signal);
}

/** Signing in and out, passwords and second factors: `auth('/sign-in/email', { email, password })`. */
export function auth<Answer>(path: string, body: unknown = {}): Promise<Answer> {
  return ask('POST', `${AUTH}${path}`, body);
}

/** Fetches a path; `null` fetches nothing. `live` fetches again after that many milliseconds. */
export function useGet<Answer>(
  path: string | null,
  { live }: { live?: number } = {},
): UseQueryResult<Answer, ApiProblem> {
  return useQuery<Answer, ApiProblem>({
    queryKey: [path],
    queryFn: ({ signal }) => send<Answer>('GET', path ?? '', undefined, signal),
    enabled: path !== null,
    ...(live === undefined ? {} : { refetchInterval: live }),
  });
}

/** Fetches a path page by page with a cursor, for long lists. */
export function usePages<Page extends { readonly cursor: string | null }>(
  path: string | null,
  query: QueryMembers = {},
) {
  return useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }) =>
      send<Page>('GET', withQuery(path ?? '', { ...query, cursor: pageParam }), undefined, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page) => page.cursor ?? undefined,
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= MAX_PAGES_ON_FOCUS,
    enabled: path !== null,
  });
}

export interface ChangeOptions {
  /** Paths: everything below them is fetched again after the change, and after a refusal because of somebody else's. */
  readonly refreshes?: readonly string[];
  /** Version of what the page shows now. With it, nothing is saved that somebody else changed meanwhile. */
  readonly version?: string | undefined;
  /** Version of what the page showed when the person began. Default: at the first rendering. */
  readonly begun?: string | undefined;
}

export interface SendFollowUp<Answer> {
  /** Called with the answer once it is saved, before anything is fetched again. */
  onSaved?(answer: Answer): void;
}

/** Sends a change, then fetches again what it changed. */
export function useSend<Answer = unknown, Body = void>(
  method: Exclude<Method, 'GET'>,
  path: string | ((body: Body) => string),
  { refreshes = [], version, begun, onSaved }: ChangeOptions & SendFollowUp<Answer> = {},
): UseMutationResult<Answer, ApiProblem, Body> {
  const client = useQueryClient();
  const first = useRef(version).current;
  const base = useRef(version);
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [key] }) => refreshes.some((prefix) => String(key).startsWith(prefix)),
    });
  const mutation = useMutation<Answer, ApiProblem, Body>({
    mutationFn: (body) => {
      const to = typeof path === 'string' ? path : path(body);
      return send<Answer>(method, withQuery(to, { version: base.current }), body ?? undefined);
    },
    onSuccess: (answer) => {
      onSaved?.(answer);
      return refresh();
    },
    // The person decides again on what is fetched here.
    onError: ({ meanwhile }) => (meanwhile === undefined ? undefined : refresh()),
  });
  base.current = useBaseVersion(mutation.error, version, begun ?? first);
  return mutation;
}

/** The person who is signed in; `null` if there is none. One whose session ended stays until `useEnded` is answered. */
export function useSession(): UseQueryResult<Session | null, ApiProblem> {
  const client = useQueryClient();
  return useQuery<Session | null, ApiProblem>({
    queryKey: [SESSION],
    queryFn: async () => {
      const session = await sessionOrNull();
      return session === null && endSession(client) ? currentSession(client) : session;
    },
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data ? SESSION_MS : false),
  });
}

/** Whether the session ended while a page was open: the page stays as it is until the person signs in again or leaves. */
export function useEnded(): boolean {
  return useQuery<boolean>({ queryKey: [ENDED], queryFn: () => false, enabled: false, initialData: false })
    .data;
}

/** Goes on with the page after a new sign-in. @returns false if it is another person, who must not see what was typed */
export async function resumeSession(client: QueryClient, userId: string): Promise<boolean> {
  const session = await sessionOrNull();
  if (session?.user.id !== userId) return false;
  client.setQueryData([SESSION], session);
  client.setQueryData([ENDED], false);
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ENDED });
  return true;
}

/** Call it after signing in or out: the cached data belongs to another person. */
export async function forgetSession(client: QueryClient): Promise<void> {
  client.setQueryData([ENDED], false);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION });
  await client.fetchQuery({ queryKey: [SESSION], queryFn: sessionOrNull, staleTime: 0 });
}

export function createQueryClient(): QueryClient {
  fetchOnFocus();
  const signedOut = (error: Error) => {
    // The frame sees it: it asks to sign in again above the page, or redirects if nobody was signed in.
    if (error instanceof ApiProblem && error.status === 401 && !endSession(client))
      client.setQueryData([SESSION], null);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: signedOut }),
    mutationCache: new MutationCache({ onError: signedOut }),
    defaultOptions: {
      queries: {
        retry: (count, error) =>
          retryMs(error) === undefined
            ? count < 1 && !(error instanceof ApiProblem && isFinal(error))
            : count < MAX_WAITS,
        retryDelay: (_, error) => retryMs(error) ?? RETRY_MS,
        networkMode: 'always',
        staleTime: 2_000,
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** Time until a retry, as the service says, with jitter so that pages do not all retry at once. */
function retryMs(error: Error): number | undefined {
  if (!(error instanceof ApiProblem) || error.retryAfterSeconds === undefined) return undefined;
  return 1_000 * error.retryAfterSeconds * (1 + Math.random() / 10);
}

/** Whether a retry would get the same answer. */
function isFinal({ status, code }: ApiProblem): boolean {
  return status < 500 || code === LATE;
}

/** @returns whether a session was open */
function endSession(client: QueryClient): boolean {
  const isOpen = Boolean(currentSession(client));
  if (isOpen) client.setQueryData([ENDED], true);
  return isOpen;
}

function currentSession(client: QueryClient): Session | null {
  return client.getQueryData<Session | null>([SESSION]) ?? null;
}

function sessionOrNull(): Promise<Session | null> {
  return send<Session>('GET', SESSION).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === 401) return null;
    throw error;
  });
}

async function ask<Answer>(
  method: Method,
  url: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const response = await reach(url, {
      method,
      headers: {
        Accept: 'application/json',
        ...(method === 'GET' ? {} : { 'X-Gatehouse': 'dashboard' }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal]),
    });
    const answer = parse(await response.text());
    if (response.ok) return answer as Answer;
    throw problemOf(response, answer);
  } catch (error) {
    throw patience.signal.aborted ? tooLate() : error;
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(): ApiProblem {
  return new ApiProblem(504, {
    code: LATE,
    message: 'Gatehouse has not answered for a minute.',
    resolution: 'Try again. If it happens again, look at the log of the service.',
  });
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem(503, {
      code: 'unreachable',
      message: 'Gatehouse does not answer.',
      resolution: 'Check that the service runs and that you are connected, then try again.',
    });
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemOf({ status, headers }: Response, answer: unknown): ApiProblem {
  const error = (answer as { error?: ApiError } | undefined)?.error;
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  if (typeof error?.message === 'string')
    return new ApiProblem(status, error, seconds > 0 ? seconds : undefined);
  return new ApiProblem(status, {
    code: 'unreadable',
    message: `The service answered ${status} without saying why.`,
    resolution: 'Try again. If it happens again, look at the log of the service.',
  });
}
