/** Collects changes of the query and writes them into the URL after a pause: browsers refuse too many writes. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useSetQuery } from '../scope.ts';
import type { QueryChanges } from './thresholds-draft-query.ts';

const REST_MS = 150;
const NONE: QueryChanges = {};

/** The new query, and a function that changes it at once on the page and a moment later in the URL. */
export function useSettledQuery(): [URLSearchParams, (changes: QueryChanges) => void] {
  const [search] = useSearchParams();
  const [waiting, setWaiting] = useState(NONE);
  const setQuery = useSetQuery();
  const latest = useRef(setQuery);
  latest.current = setQuery;

  useEffect(() => {
    if (waiting === NONE) return;
    const page = location.pathname;
    const timer = setTimeout(() => {
      // This page is still shown while the next one loads, and must not take its URL back.
      if (location.pathname === page) latest.current(waiting);
      setWaiting(NONE);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [waiting]);

  const settled = useMemo(() => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(waiting)) {
      if (value === undefined) next.delete(name);
      else next.set(name, value);
    }
    return next;
  }, [search, waiting]);
  return [settled, (changes) => setWaiting((before) => ({ ...before, ...changes }))];
}
