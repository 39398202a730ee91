/** The history by pages, newest first. Newer rows are only counted until a person loads them, so that nothing jumps. */
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type {
  AssessmentFilter,
  AssessmentRow,
  AssessmentSearchResult,
  IndexBacklog,
  NamedSignup,
} from '../../../src/contract/dashboard-assessments.ts';
import { type ApiProblem, LIVE_MS, send, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import { shownError } from '../ui/waiting.ts';

export interface SignupHistory {
  /** `undefined` until the first page is there. */
  readonly rows: readonly NamedSignup[] | undefined;
  readonly error: ApiProblem | null;
  /** There are older rows to load. */
  readonly more: boolean;
  readonly loading: boolean;
  /** The search continues by itself, page by page, because few rows match. */
  readonly searching: boolean;
  /** Set while the newest signups are not indexed, and so not found. */
  readonly indexing: IndexBacklog | null;
  readonly fresh: { readonly count: number; readonly atLeast: boolean };
  loadMore(): void;
  showFresh(): void;
  retry(): void;
}

type Pages = InfiniteData<AssessmentSearchResult, string | undefined>;

const PAGE = 50;
/** Later pages are for people who scroll far. */
const LATER_PAGE = 200;
/** Max. pages that a search for rare rows loads before it shows a button. */
const MAX_REQUESTS = 12;
/** Assessments are stored a little after their timestamp. */
const OVERLAP_MS = 10_000;

export function useHistory(filter: AssessmentFilter): SignupHistory {
  const { api } = useScope();
  const client = useQueryClient();
  const path = api('assessments');
  const key = [path, filter];
  const query = useInfiniteQuery<AssessmentSearchResult, ApiProblem, Pages, typeof key, string | undefined>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => ask(path, { ...filter, cursor: pageParam }, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    // Comparing all rows with themselves would cost more with each page.
    structuralSharing: false,
  });
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows), [pages]);
  const { hasNextPage, isFetching, fetchNextPage } = query;

  const partials = trailingPartials(pages ?? []);
  const goesOn = partials > 0 && hasNextPage && !query.isError && partials % MAX_REQUESTS !== 0;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);

  const fresh = useFresh(path, filter, rows);
  const showFresh = () => {
    if (fresh.page === undefined) return;
    const { page, rows: unseen } = fresh;
    client.setQueryData<Pages>(key, (before) =>
      before === undefined || fresh.atLeast
        ? { pages: [page], pageParams: [undefined] }
        : {
            pages: [{ rows: unseen, cursor: null, partial: false, indexing: page.indexing }, ...before.pages],
            pageParams: [undefined, ...before.pageParams],
          },
    );
    window.scrollTo({ top: 0 });
  };

  return {
    rows: goesOn && rows?.length === 0 ? undefined : rows,
    error: shownError(query),
    more: hasNextPage,
    loading: query.isFetchingNextPage,
    searching: goesOn,
    indexing: (fresh.page ?? pages?.[0])?.indexing ?? null,
    fresh: { count: fresh.rows.length, atLeast: fresh.atLeast },
    loadMore: () => void (isFetching || fetchNextPage()),
    showFresh,
    retry: () => void (pages === undefined ? query.refetch() : fetchNextPage()),
  };
}

/** Fetches the rows that match and are newer than the first one shown. */
function useFresh(path: string, filter: AssessmentFilter, rows: readonly AssessmentRow[] | undefined) {
  const newest = rows?.[0];
  const since = newest && new Date(Date.parse(newest.at) - OVERLAP_MS).toISOString();
  const from = [filter.from, since]
    .filter((at) => at !== undefined)
    .sort(byInstant)
    .at(-1);
  const open = filter.to === undefined || Date.parse(filter.to) > Date.now();
  const { data: page } = useQuery<AssessmentSearchResult, ApiProblem>({
    queryKey: [`${path}/fresh`, filter, from],
    queryFn: ({ signal }) => ask(path, { ...filter, from }, signal),
    enabled: rows !== undefined && open,
    refetchInterval: LIVE_MS,
  });
  const known = new Set(rows?.slice(0, 4 * PAGE).map(({ request_id }) => request_id));
  const unseen = page?.rows.filter(({ request_id }) => !known.has(request_id)) ?? [];
  const atLeast = page !== undefined && page.cursor !== null && unseen.length === page.rows.length;
  return { page, rows: unseen, atLeast: atLeast && unseen.length > 0 };
}

function ask(path: string, query: AssessmentFilter & { cursor?: string | undefined }, signal: AbortSignal) {
  return send<AssessmentSearchResult>(
    'GET',
    withQuery(path, { ...query, limit: query.cursor ? LATER_PAGE : PAGE }),
    undefined,
    signal,
  );
}

function trailingPartials(pages: readonly AssessmentSearchResult[]): number {
  const full = pages.findLastIndex(({ partial }) => !partial);
  return pages.length - 1 - full;
}

function byInstant(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b);
}
