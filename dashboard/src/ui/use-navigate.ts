/** Goes to another address without listening to it: what only navigates is not drawn again with each step. */
import { useCallback } from 'react';
import { useRouter } from 'wouter';
import { navigate } from 'wouter/use-browser-location';

export function useNavigate(): (to: string, options?: { readonly replace?: boolean }) => void {
  const { aroundNav } = useRouter();
  return useCallback((to, options) => aroundNav(navigate, to, options), [aroundNav]);
}
