/** Removes the secret of a link from the address bar, keeps it for this tab until it is used, and fetches what the link is for. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiProblem, forgetSession, send } from '../api.ts';

const SECRET_LENGTH = 43;

export type LinkPage = 'setup' | 'invitations';

/** @param path of the API that takes the secret */
export function useLink<Offer>(page: LinkPage, path: string) {
  const [secret, setSecret] = useState(() => secretOf(page));
  const client = useQueryClient();
  const [, navigate] = useLocation();
  useEffect(() => {
    const keep = () => {
      const found = secretOf(page);
      setSecret(found);
      if (found === '') return;
      // For a reload, and for a person who signs in first. The history then has a URL without the secret.
      sessionStorage.setItem(keyOf(page), found);
      window.history.replaceState(window.history.state, '', `/${page}`);
    };
    keep();
    window.addEventListener('hashchange', keep);
    return () => window.removeEventListener('hashchange', keep);
  }, [page]);
  const offer = useQuery<Offer, ApiProblem>({
    queryKey: [path, secret],
    queryFn: ({ signal }) => {
      if (secret.length < SECRET_LENGTH) throw incomplete();
      return send<Offer>('POST', `${path}/read`, { secret }, signal);
    },
    gcTime: 0,
  });
  /** Call it once the link is used: the person is signed in. */
  const enter = async () => {
    sessionStorage.removeItem(keyOf(page));
    await forgetSession(client);
    navigate('/', { replace: true });
  };
  return { secret, offer, enter };
}

function incomplete(): ApiProblem {
  return new ApiProblem(400, {
    code: 'incomplete',
    message: 'The link is not complete.',
    resolution: 'Copy all of it, with the part after #.',
  });
}

/** Secret in the fragment, or kept from before. */
function secretOf(page: LinkPage): string {
  return window.location.hash.slice(1) || (sessionStorage.getItem(keyOf(page)) ?? '');
}

function keyOf(page: LinkPage): string {
  return `gatehouse.link.${page}`;
}
